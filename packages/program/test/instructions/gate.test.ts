/**
 * The program as the gate of Token ACL, for which the stand-in of `@service/localnet` runs. The mint is a security as issuers
 * make it today, without a hook and without a binding.
 */
import { addressBytes } from '@service/contract';
import { flagAddress, gateListAddresses, programAccountKind, TOKEN_2022_PROGRAM } from '@service/protocol';
import type { Address } from '@solana/kit';
import { getThawAccountInstruction } from '@solana-program/token';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf, DAY, HOUR, NOW, noop, PROGRAM, SOL, UNRELATED_WALLET } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  addBareTokenAccount,
  addFrozenMint,
  addGate,
  addGatedMarket,
  addTokenAcl,
  byIssuer,
  canFreeze,
  canThaw,
  createConfig,
  defaultState,
  enable,
  freeze,
  GATED,
  isFrozen,
  moveGated,
  securityExtensions,
  setGate,
  thaw,
} from '../support/gates.ts';
import { at, endPasses, pause } from '../support/governance.ts';
import { withAccount, withAddress } from '../support/instruction.ts';
import { balanceOf, HOLDER_EXPIRY, holdersChain } from '../support/market.ts';
import { addTokenAccount } from '../support/mints.ts';
import { endGrant, grantPass, prove, suspendPass } from '../support/passes.ts';
import { addRuleSet, createRuleSet, passAt, RULE } from '../support/rule-sets.ts';
import { handOver, mintTo, token2022, tokens } from '../support/token-instructions.ts';

const chain = chainPerTest(async () => {
  const ready = await holdersChain();
  addTokenAcl(ready);
  await addFrozenMint(ready, { extensions: await securityExtensions() });
  await addGate(ready);
  for (const owner of ['holder', 'other holder', 'outsider'])
    await addTokenAccount(ready, owner, await addressOf(GATED));
  return ready;
});

const mint = await addressOf(GATED);
/** A second mint, with tokens of an outsider and a holder whose accounts its issuer thawed, before it has a gate. */
const OLD = 'old mint';
const old = await addressOf(OLD);
const [held, other, outside] = await Promise.all(
  ['holder', 'other holder', 'outsider'].map((owner) => tokens(owner, GATED)),
);
const { thawList, freezeList } = await gateListAddresses(PROGRAM, mint);
/** What the resolution of a list rejects: an account that the list names was not passed. */
const NOT_PASSED = /Custom\(2724315840\)/;

/** Thaws the accounts of both holders, and mints 100 tokens to the first one. */
async function openMarket(): Promise<void> {
  await chain.confirm(thaw(), thaw({ owner: 'other holder' }), mintTo(held!, mint, 100n));
}

describe('the whole path', () => {
  it('thaws holders of passes, whose transfers then need no hook, and freezes them when their pass expires', async () => {
    expect([held, other, outside].map((account) => isFrozen(chain, account!))).toEqual([true, true, true]);
    await openMarket();
    const { units } = await chain.confirm(moveGated('holder', 'other holder'));
    expect(units).toBeLessThan(5_000);
    // Token-2022: the account is frozen.
    await chain.reject(17, moveGated('holder', 'outsider'));
    await chain.reject('DESTINATION_PASS_MISSING', thaw({ owner: 'outsider' }));
    await chain.reject('PASS_LIVE', freeze());

    chain.setTime(HOLDER_EXPIRY);
    await chain.confirm(freeze());
    expect(isFrozen(chain, held!)).toBe(true);
    await chain.reject(17, moveGated('holder', 'other holder'));
    await chain.reject(17, moveGated('other holder', 'holder'));
    await chain.reject('DESTINATION_PASS_EXPIRED', thaw());
    await chain.confirm(prove({ expiresAt: HOLDER_EXPIRY + 20n * DAY }));
    await chain.confirm(thaw(), moveGated('holder', 'other holder'));
  });

  it('lets an expired holder move tokens until somebody freezes the account', async () => {
    await openMarket();
    chain.setTime(HOLDER_EXPIRY + DAY);
    await chain.confirm(moveGated('holder', 'other holder'));
    expect(balanceOf(chain, held!)).toBe(90n);
    await chain.confirm(freeze({ caller: 'unrelated wallet' }));
    await chain.reject(17, moveGated('holder', 'other holder'));
  });

  it('freezes everybody after governance ended all passes', async () => {
    await openMarket();
    await chain.reject('PASS_LIVE', freeze({ owner: 'other holder' }));
    await chain.confirm(endPasses());
    await chain.confirm(freeze(), freeze({ owner: 'other holder' }));
    await chain.reject('DESTINATION_PASS_EXPIRED', thaw());
  });

  it('freezes a holder whose pass is suspended, and thaws it when the suspension is over', async () => {
    await openMarket();
    await chain.reject('PASS_LIVE', freeze());
    await chain.confirm(suspendPass({ until: NOW + HOUR }));
    await chain.confirm(freeze());
    await chain.reject('DESTINATION_PASS_SUSPENDED', thaw());
    chain.setTime(NOW + HOUR);
    await chain.confirm(thaw());
    // A wallet that never proved can be suspended too. It has no valid pass before, during and after that.
    await chain.confirm(suspendPass({ holder: 'outsider', until: NOW + 2n * HOUR }));
    await chain.reject('DESTINATION_PASS_SUSPENDED', thaw({ owner: 'outsider' }));
    await chain.confirm(canFreeze({ owner: 'outsider' }));
    chain.setTime(NOW + 2n * HOUR);
    await chain.reject('DESTINATION_PASS_EXPIRED', thaw({ owner: 'outsider' }));
    await chain.confirm(canFreeze({ owner: 'outsider' }));
  });

  it('counts a granted pass only if the gate honours it', async () => {
    const custodian = { owner: 'custodian' };
    const account = await addTokenAccount(chain, 'custodian', mint);
    await chain.confirm(grantPass());
    await chain.reject('DESTINATION_PASS_GRANTED', thaw(custodian));
    await chain.confirm(setGate({ honoursGranted: true }), thaw(custodian));
    await chain.reject('PASS_LIVE', freeze(custodian));
    await chain.confirm(setGate(), freeze(custodian));
    expect(isFrozen(chain, account)).toBe(true);
    await chain.confirm(setGate({ honoursGranted: true }), thaw(custodian), endGrant());
    await chain.confirm(freeze(custodian));
  });

  it('follows the rule set when the authority changes it', async () => {
    await openMarket();
    const rule = await addRuleSet(chain, { nonce: 2n });
    await chain.confirm(setGate({ rule }));
    await chain.reject(NOT_PASSED, thaw({ owner: 'outsider' }));
    await chain.confirm(freeze({ rule }));
    await chain.reject('DESTINATION_PASS_MISSING', thaw({ rule }));
  });

  it('does not ask who froze an account: a live pass undoes a freeze by the issuer', async () => {
    await openMarket();
    await chain.confirm(byIssuer('freeze', held!));
    await chain.reject(17, moveGated('holder', 'other holder'));
    await chain.confirm(thaw(), moveGated('holder', 'other holder'));
  });

  it('works when somebody sent lamports to the address of the flag', async () => {
    const flag = await flagAddress(held!);
    chain.fund(flag, SOL);
    await chain.confirm(thaw());
    expect(isFrozen(chain, held!)).toBe(false);
    expect(chain.account(flag)).toBeNull();
  });
});

describe('a mint that has holders already', () => {
  const about = (owner: string, account?: Address) => ({ owner, mint: OLD, ...(account ? { account } : {}) });

  async function adopt(extensions = [defaultState()]): Promise<{ bare: Address }> {
    await addFrozenMint(chain, { mint: OLD, extensions });
    for (const owner of ['holder', 'outsider']) await addTokenAccount(chain, owner, old);
    const bare = await addBareTokenAccount(chain, 'bare', 'holder', OLD);
    const owner = await noop('issuer');
    for (const account of [await tokens('holder', OLD), await tokens('outsider', OLD), bare]) {
      const thawing = getThawAccountInstruction({ account, mint: old, owner }, token2022);
      await chain.confirm(thawing, mintTo(account, old, 100n));
    }
    await addGate(chain, { mint: OLD });
    return { bare };
  }

  it('is adopted: anyone freezes those without a pass, and nobody freezes those with one', async () => {
    await adopt();
    await chain.confirm(moveGated('outsider', 'holder', OLD));
    await chain.confirm(freeze(about('outsider')));
    await chain.reject(17, moveGated('outsider', 'holder', OLD));
    await chain.reject('DESTINATION_PASS_MISSING', thaw(about('outsider')));
    await chain.reject('PASS_LIVE', freeze(about('holder')));
  });

  it.each([
    ['without any extension', 165, async () => [defaultState()]],
    ['with the extension of pausable mints', 170, securityExtensions],
  ])('is adopted: anyone freezes accounts whose owner can change, %s', async (_what, bytes, extensions) => {
    const { bare } = await adopt(await extensions());
    expect(chain.data(bare)).toHaveLength(bytes);
    await chain.confirm(freeze(about('holder', bare)));
    await chain.reject('TOKEN_ACCOUNT_OWNER_MUTABLE', thaw(about('holder', bare)));
    // A frozen account cannot be handed over.
    await chain.reject(17, handOver(bare));
  });
});

describe('a thaw is refused', () => {
  it('without the list, with which Token ACL would ask about five accounts', async () => {
    for (const owner of ['holder', 'outsider']) {
      const sent = await thaw({ owner });
      const without = { ...sent, accounts: sent.accounts!.filter(({ address }) => address !== thawList) };
      await chain.reject('WRONG_ACCOUNT_COUNT', without);
      for (const instead of [freezeList, UNRELATED_WALLET]) {
        await chain.reject('WRONG_ACCOUNT_COUNT', withAddress(sent, thawList, instead));
      }
    }
  });

  it('with the list of another mint', async () => {
    await addGatedMarket(chain, { mint: 'other gated mint' });
    const { thawList: others } = await gateListAddresses(PROGRAM, await addressOf('other gated mint'));
    await chain.reject(
      'WRONG_ACCOUNT_COUNT',
      withAddress(await thaw({ owner: 'outsider' }), thawList, others),
    );
  });

  it('with a list that a stranger wrote with another program', async () => {
    const fake = await addressOf('fake list');
    chain.write(fake, { ...chain.account(thawList)!, owner: await addressOf('other program') });
    await chain.reject('WRONG_ACCOUNT_COUNT', withAddress(await thaw({ owner: 'outsider' }), thawList, fake));
  });

  it('with the pass of another wallet, or for another rule set', async () => {
    const sent = await thaw({ owner: 'outsider' });
    const pass = await passAt('outsider');
    await chain.reject(NOT_PASSED, withAddress(sent, pass, await passAt('holder')));
    // An error of Token ACL: the wallet is not the owner.
    await chain.reject(8, withAddress(sent, await addressOf('outsider'), await addressOf('holder')));
  });

  it('with a list whose metas were changed, as no transaction can do: the program checks each account', async () => {
    // The last meta names the pass of the holder as a literal.
    const metaAt = 8 + 4 + 4 + 35;
    chain.patch(thawList, metaAt, [0, ...addressBytes(await passAt('holder'))]);
    const sent = withAddress(
      await thaw({ owner: 'outsider' }),
      await passAt('outsider'),
      await passAt('holder'),
    );
    await chain.reject('WRONG_ADDRESS', sent);
  });

  it('while the protocol is paused, when a freeze still works', async () => {
    await openMarket();
    chain.setTime(HOLDER_EXPIRY);
    await chain.confirm(freeze(), pause());
    await chain.reject('PROTOCOL_PAUSED', thaw({ owner: 'other holder' }));
    await chain.reject('PASS_LIVE', freeze({ owner: 'other holder' }));
  });

  it('before anyone may thaw, and for another gate', async () => {
    await chain.confirm(enable({ canThaw: false, canFreeze: false }));
    // Errors of Token ACL.
    await chain.reject(6, thaw());
    await chain.reject(7, freeze());
    await chain.confirm(enable());
    await chain.reject(5, withAddress(await thaw(), PROGRAM, TOKEN_2022_PROGRAM));
  });

  it('before set-gate', async () => {
    await addFrozenMint(chain, { mint: 'early' });
    await addTokenAccount(chain, 'holder', await addressOf('early'));
    await chain.confirm(createConfig({ mint: 'early' }), enable({ mint: 'early' }));
    await chain.reject(/InstructionError\(0/, thaw({ mint: 'early' }));
    expect(isFrozen(chain, await tokens('holder', 'early'))).toBe(true);
  });
});

describe('a freeze is refused', () => {
  beforeEach(openMarket);

  it('without the list, or with another one', async () => {
    for (const owner of ['holder', 'other holder']) {
      const sent = await freeze({ owner });
      const without = { ...sent, accounts: sent.accounts!.filter(({ address }) => address !== freezeList) };
      await chain.reject('WRONG_ACCOUNT_COUNT', without);
      await chain.reject('WRONG_ACCOUNT_COUNT', withAddress(sent, freezeList, thawList));
    }
  });

  it('with an account that is not the pass of the owner in the place of the pass', async () => {
    const sent = await freeze();
    const pass = await passAt('holder');
    for (const instead of [
      await passAt('outsider'),
      await passAt('other holder'),
      UNRELATED_WALLET,
      outside!,
    ]) {
      await chain.reject(NOT_PASSED, withAddress(sent, pass, instead));
    }
    await chain.reject(8, withAddress(sent, await addressOf('holder'), await addressOf('outsider')));
  });

  it('with a false account in the place of the pass, even if the list did not name the pass', async () => {
    const place = 7;
    const asked = await canFreeze({ owner: 'outsider' });
    await chain.confirm(asked);
    for (const instead of [await passAt('nobody'), UNRELATED_WALLET, outside!, await passAt('holder')]) {
      await chain.reject('WRONG_ADDRESS', withAccount(asked, place, { address: instead }));
    }
    for (const instead of [RULE, thawList, await at.credential(await addressOf('holder'))]) {
      await chain.reject('WRONG_ACCOUNT_TYPE', withAccount(asked, place, { address: instead }));
    }
    await chain.reject('PASS_LIVE', canFreeze());
  });
});

describe('the questions', () => {
  it('change nothing, and answer everybody', async () => {
    const outcomes = [await chain.confirm(canThaw()), await chain.confirm(canFreeze({ owner: 'outsider' }))];
    expect(outcomes.map(({ changed }) => changed)).toEqual([[], []]);
    await chain.reject('DESTINATION_PASS_MISSING', canThaw({ owner: 'outsider' }));
  });

  it('are about the owner of the token account, and about the mint of the list', async () => {
    const other = await addGatedMarket(chain, { mint: OLD });
    for (const asked of [await canThaw(), await canFreeze({ owner: 'outsider' })]) {
      const [, account, , owner, , list] = asked.accounts!.map(({ address }) => address);
      const of = (address: Address) => withAddress(asked, owner!, address);
      await chain.reject('TOKEN_ACCOUNT_INVALID', of(await addressOf('other holder')));
      await chain.reject('TOKEN_ACCOUNT_INVALID', withAddress(asked, account!, await tokens('holder', OLD)));
      await chain.reject('BINDING_MISMATCH', withAddress(asked, mint, other));
      const lists = await gateListAddresses(PROGRAM, other);
      const otherList = list === thawList ? lists.thawList : lists.freezeList;
      await chain.reject('BINDING_MISMATCH', withAddress(asked, list!, otherList));
    }
  });

  it('do not take the number of create-rule-set, even with a nonce that begins like can-thaw', async () => {
    const nonce = new DataView(
      Uint8Array.from([...chain.data(thawList).subarray(1, 8), 5]).buffer,
    ).getBigUint64(0, true);
    const sent = await createRuleSet({ nonce });
    expect([...sent.data.slice(0, 8)]).toEqual([...chain.data(thawList).subarray(0, 8)]);
    await chain.confirm(sent);
    expect(chain.account(await at.ruleSet(await addressOf('issuer'), nonce))).not.toBeNull();
  });

  it('keep their list apart from a pass, whose type is its first byte', async () => {
    const data = chain.data(thawList);
    expect(data[0]).toBe(chain.data(await passAt('holder'))[0]);
    expect(programAccountKind(PROGRAM, PROGRAM, data)).toBeNull();
    expect(programAccountKind(PROGRAM, PROGRAM, chain.data(await passAt('holder')))).toBe('pass');
    // The program takes neither for the other.
    const asked = await canThaw();
    await chain.reject('WRONG_ACCOUNT_TYPE', withAddress(asked, await passAt('holder'), thawList));
    await chain.reject('WRONG_ACCOUNT_TYPE', withAddress(asked, thawList, await passAt('holder')));
    await chain.reject('WRONG_ACCOUNT_TYPE', withAddress(asked, thawList, freezeList));
  });
});
