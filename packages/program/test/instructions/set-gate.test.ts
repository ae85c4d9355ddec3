import { createHash } from 'node:crypto';
import { addressBytes } from '@service/contract';
import { gateListAddresses, mintConfigAddress } from '@service/protocol';
import { AuthorityType, getSetAuthorityInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { addressOf, noop, PROGRAM, SOL } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  addFrozenMint,
  addTokenAcl,
  createConfig,
  defaultState,
  deleteConfig,
  GATED,
  gateListsOf,
  STATES,
  securityExtensions,
  setConfigAuthority,
  setGate,
} from '../support/gates.ts';
import { CONFIG, pause } from '../support/governance.ts';
import { withAccount } from '../support/instruction.ts';
import { addMint } from '../support/mints.ts';
import { addRuleSet, RULE, ruleSetChain } from '../support/rule-sets.ts';
import { token2022 } from '../support/token-instructions.ts';

const chain = chainPerTest(async () => {
  const ready = await ruleSetChain();
  addTokenAcl(ready);
  await addFrozenMint(ready);
  await ready.confirm(createConfig());
  return ready;
});
const mint = await addressOf(GATED);
const { thawList, freezeList } = await gateListAddresses(PROGRAM, mint);

const u32 = (value: number) => [value & 0xff, value >> 8, 0, 0];
const sha256 = (text: string) => [...createHash('sha256').update(text).digest()].slice(0, 8);

/** The account that the interface prescribes, written out by hand from its description and the IDL. */
function expectedList(question: string, bump: number, honoursGranted = 0): number[] {
  const gateStart = 8 + 4 + 4 + 2 * 35 + 8 + 4;
  // A literal of 4 bytes, 32 bytes of account 5 (the list), the address of account 3 (the owner).
  const seeds = [1, 4, ...Buffer.from('pass'), 4, 5, gateStart + 3 + 32, 32, 3, 3];
  const pass = [1, ...seeds, ...new Array(32 - seeds.length).fill(0), 0, 0];
  const metas = [0, ...addressBytes(CONFIG), 0, 0, ...pass];
  const gate = [1, bump, honoursGranted, ...addressBytes(mint), ...addressBytes(RULE), ...new Uint8Array(64)];
  return [
    ...sha256(`efficient-allow-block-list-standard:can-${question}-permissionless`),
    ...u32(4 + metas.length),
    ...u32(2),
    ...metas,
    ...sha256('service:v1:gate'),
    ...u32(gate.length),
    ...gate,
  ];
}

describe('set-gate', () => {
  it('writes the two lists by which a client finds the accounts of a question', async () => {
    const outcome = await chain.confirm(setGate());
    expect([...outcome.changed].sort()).toEqual([thawList, freezeList].sort());
    const [thaw, freeze] = await gateListsOf(chain);
    expect([...chain.data(thawList)]).toEqual(expectedList('thaw', thaw!.bump));
    expect([...chain.data(freezeList)]).toEqual(expectedList('freeze', freeze!.bump));
    for (const list of [thawList, freezeList]) {
      expect(chain.account(list)?.owner).toBe(PROGRAM);
      expect(chain.aboveRent(list)).toBe(0n);
    }
  });

  it('changes the rule set and whether granted passes count, and nothing else', async () => {
    await chain.confirm(setGate());
    const before = await gateListsOf(chain);
    const rule = await addRuleSet(chain, { creator: 'outsider' });
    await chain.confirm(setGate({ rule, honoursGranted: true }));
    expect(await gateListsOf(chain)).toEqual(before.map((list) => ({ ...list, rule, honoursGranted: true })));
    await chain.confirm(setGate());
    expect(await gateListsOf(chain)).toEqual(before);
  });

  it('accepts a security as issuers make it today', async () => {
    const security = { mint: 'security', extensions: await securityExtensions() };
    await addFrozenMint(chain, security);
    await chain.confirm(createConfig({ mint: 'security' }), setGate({ mint: 'security' }));
  });

  it('needs the authority of the configuration, not the mint authority', async () => {
    await chain.reject('NOT_MINT_CONFIG_AUTHORITY', setGate({ authority: 'unrelated wallet' }));
    chain.fund(await addressOf('next issuer'), SOL);
    await chain.confirm(setConfigAuthority('next issuer'));
    await chain.reject('NOT_MINT_CONFIG_AUTHORITY', setGate());
    await chain.confirm(setGate({ authority: 'next issuer' }));
  });

  it('refuses a mint whose new accounts are not frozen, which Token ACL accepts', async () => {
    const extensions = [defaultState(STATES.initialized)];
    await addFrozenMint(chain, { mint: 'open', extensions });
    await chain.confirm(createConfig({ mint: 'open' }));
    await chain.reject('MINT_NOT_FROZEN_BY_DEFAULT', setGate({ mint: 'open' }));
  });

  it('refuses a mint without a configuration', async () => {
    await addFrozenMint(chain, { mint: 'loose' });
    await chain.reject('WRONG_OWNER', setGate({ mint: 'loose' }));
    await addMint(chain, { mint: 'plain', extensions: [] });
    await chain.reject('WRONG_OWNER', setGate({ mint: 'plain' }));
  });

  it('refuses a configuration that is not the freeze authority of the mint any more', async () => {
    // Token ACL deletes the configuration when it gives the freeze authority away. This one is a copy of it.
    const config = chain.account(await mintConfigAddress(mint))!;
    await chain.confirm(deleteConfig());
    chain.write(await mintConfigAddress(mint), config);
    await chain.reject('MINT_CONFIG_MISMATCH', setGate());
  });

  it('refuses the configuration of another mint', async () => {
    await addFrozenMint(chain, { mint: 'other', authority: 'outsider' });
    chain.fund(await addressOf('outsider'), SOL);
    await chain.confirm(createConfig({ mint: 'other', authority: 'outsider' }));
    const own = await mintConfigAddress(await addressOf('other'));
    const sent = await setGate({ authority: 'outsider' });
    await chain.reject('MINT_CONFIG_MISMATCH', withAccount(sent, 2, { address: own }));
    // Also if its freeze authority is that configuration.
    await addFrozenMint(chain, { mint: 'third' });
    const third = await addressOf('third');
    const change = { owned: third, owner: await noop('issuer'), authorityType: AuthorityType.FreezeAccount };
    const given = getSetAuthorityInstruction({ ...change, newAuthority: own }, token2022);
    const misused = withAccount(await setGate({ authority: 'outsider', mint: 'third' }), 2, { address: own });
    await chain.confirm(given);
    await chain.reject('MINT_CONFIG_MISMATCH', misused);
  });

  it('is refused while the protocol is paused', async () => {
    await chain.confirm(pause());
    await chain.reject('PROTOCOL_PAUSED', setGate());
  });
});
