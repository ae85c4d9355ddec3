/** No tokens of a bound mint come into being but by issue-tokens, and no authority over it is left to anyone. */
import { addressBytes } from '@service/contract';
import { AccountRole } from '@solana/kit';
import { getMintToCheckedInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { addressOf, noop } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { at } from '../support/governance.ts';
import { withAccount } from '../support/instruction.ts';
import {
  addMarket,
  balanceOf,
  bindMint,
  issueTokens,
  marketChain,
  mintOf,
  transfer,
} from '../support/market.ts';
import {
  addLooseTokenAccount,
  addMint,
  addTokenAccount,
  DECIMALS,
  extensionsTogether,
  initializeMetadata,
  metadataPointer,
  SUPPORTED_EXTENSIONS,
  transferHook,
  UNSUPPORTED_EXTENSIONS,
} from '../support/mints.ts';
import {
  approve,
  burn,
  closeAccount,
  mintTo,
  ONE,
  ofToken2022,
  token2022,
  tokens,
} from '../support/token-instructions.ts';

const chain = chainPerTest(marketChain);

describe('the supply', () => {
  it('cannot grow by minting: the authority is the binding, and no key signs for it', async () => {
    const [mint, token] = [await addressOf(ONE), await tokens('holder')];
    const byIssuer = await mintTo(token, mint);
    const checked = { mint, token, mintAuthority: await noop('issuer'), amount: 5n, decimals: DECIMALS };
    await chain.reject(/Custom\(4\)/, byIssuer);
    await chain.reject(/Custom\(4\)/, getMintToCheckedInstruction(checked, token2022));
    const binding = { address: await at.mintBinding(mint), role: AccountRole.READONLY };
    await chain.reject(/MissingRequiredSignature/, withAccount(byIssuer, 2, binding));
  });

  it('does not grow again when tokens were burned', async () => {
    const [mint, account] = [await addressOf(ONE), await tokens('holder')];
    await chain.confirm(burn(1_000n));
    expect(mintOf(chain, mint).supply).toBe(0n);
    await chain.reject(/Custom\(4\)/, mintTo(account, mint));
    await chain.reject('DESTINATION_PASS_MISSING', issueTokens({ holder: 'outsider' }));
  });

  it('must be zero when the mint is bound, even if tokens were minted before', async () => {
    const mint = await addMint(chain, { mint: 'minted' });
    const early = await addLooseTokenAccount(chain, { at: 'early', owner: 'outsider', mint });
    const bind = await bindMint({ mint: 'minted' });
    await chain.confirm(mintTo(early, mint));
    await chain.reject('MINT_SUPPLY_NOT_ZERO', bind);
    const burned = await burn(5n, { mint: 'minted', authority: 'outsider', account: early });
    // Minting after the binding in the same transaction finds another authority.
    await chain.reject(/InstructionError\(2, Custom\(4\)\)/, burned, bind, mintTo(early, mint));
    await chain.confirm(burned, bind);
    expect(mintOf(chain, mint).supply).toBe(0n);
  });

  it('cannot be moved before the binding: a transfer of a mint with the hook is refused', async () => {
    const mint = await addMint(chain, { mint: 'unbound' });
    const source = await addTokenAccount(chain, 'holder', mint);
    const destination = await addTokenAccount(chain, 'other holder', mint);
    await chain.confirm(mintTo(source, mint));
    await chain.reject(/InstructionError\(0/, transfer({ mint: 'unbound', source, destination }));
  });
});

describe('token accounts from before the binding', () => {
  it('receive tokens only if their owner is fixed, and their delegates cannot avoid the hook', async () => {
    const mint = await addMint(chain, { mint: 'late' });
    const make = async (at: string, immutableOwner: boolean) =>
      addLooseTokenAccount(chain, { at, owner: 'holder', mint, immutableOwner });
    const [fixed, loose] = [await make('fixed', true), await make('loose', false)];
    await chain.confirm(approve('late', 'outsider', { source: fixed }));
    const theirs = await addTokenAccount(chain, 'outsider', mint);
    await chain.confirm(bindMint({ mint: 'late' }));

    const issue = { mint: 'late', holder: 'holder' };
    await chain.reject('TOKEN_ACCOUNT_OWNER_MUTABLE', issueTokens({ ...issue, destination: loose }));
    await chain.confirm(issueTokens({ ...issue, destination: fixed }));
    const forbidden = {
      mint: 'late',
      authority: 'outsider',
      to: 'outsider',
      source: fixed,
      destination: theirs,
    };
    await chain.reject('DESTINATION_PASS_MISSING', transfer(forbidden));
    expect(balanceOf(chain, theirs)).toBe(0n);
  });
});

describe('after the binding', () => {
  const AUTHORITY_TYPES = Array.from({ length: 24 }, (_, type) => type);
  const FREEZE_ACCOUNT = 1;

  it.each(['issuer', 'holder', 'outsider'])(
    '%s has no authority over the mint except freezing',
    async (name) => {
      const [mint, who] = [await addressOf(ONE), await addressOf(name)];
      const next = [1, ...addressBytes(await addressOf('outsider'))];
      const taken: number[] = [];
      for (const type of AUTHORITY_TYPES) {
        const outcome = await chain.send(ofToken2022([6, type, ...next], [mint, who], [who]));
        if (!outcome.refusal) taken.push(type);
      }
      expect(taken).toEqual(name === 'issuer' ? [FREEZE_ACCOUNT] : []);
    },
  );

  it.each(['issuer', 'holder', 'outsider'])(
    '%s has no authority that moves tokens over a mint with every extension that it may have',
    async (name) => {
      const [issuer, who] = [await addressOf('issuer'), await addressOf(name)];
      const extensions = [
        transferHook({ authority: issuer, program: null }),
        ...extensionsTogether().map((extension) => extension(issuer)),
      ];
      const mint = await addMarket(chain, { mint: 'extended', freezeAuthority: 'issuer', extensions });
      const next = [1, ...addressBytes(await addressOf('outsider'))];
      const taken: number[] = [];
      for (const type of AUTHORITY_TYPES) {
        const outcome = await chain.send(ofToken2022([6, type, ...next], [mint, who], [who]));
        if (!outcome.refusal) taken.push(type);
      }
      // Besides freezing: group pointers (13, 14), scaled amounts (15), pausing (16).
      expect(taken).toEqual(name === 'issuer' ? [FREEZE_ACCOUNT, 13, 14, 15, 16] : []);
    },
  );

  it('nobody can change or remove the hook, because it has no authority', async () => {
    const [mint, issuer] = [await addressOf(ONE), await addressOf('issuer')];
    for (const program of [new Uint8Array(32), addressBytes(await addressOf('unrelated wallet'))]) {
      const update = ofToken2022([36, 1, ...program], [mint, issuer], [issuer]);
      await chain.reject(/InstructionError\(0/, update);
    }
  });

  const ALL_EXTENSIONS = { ...SUPPORTED_EXTENSIONS, ...UNSUPPORTED_EXTENSIONS };
  it.each([...Object.keys(ALL_EXTENSIONS), 'transfer hook'])(
    'the mint gets no extension: %s',
    async (name) => {
      const issuer = await addressOf('issuer');
      const { data } =
        name === 'transfer hook' ? transferHook({ authority: issuer }) : ALL_EXTENSIONS[name]!(issuer);
      const late = ofToken2022(data, [await addressOf(ONE)]);
      await chain.reject(/InstructionError\(0/, late);
    },
  );

  it('the mint cannot be closed and created again: it has no close authority', async () => {
    const mint = await addressOf(ONE);
    await chain.confirm(burn(1_000n));
    for (const name of ['issuer', 'holder']) {
      await chain.reject(/InstructionError\(0/, closeAccount(mint, name));
    }
  });

  it('metadata that makes the mint longer does not move the hook', async () => {
    const [issuer, mint] = [await addressOf('issuer'), await addressOf('described')];
    const extensions = [transferHook(), metadataPointer(issuer, mint)];
    await addMint(chain, { mint: 'described', extensions, spare: 400 });
    await chain.confirm(initializeMetadata(mint));
    await chain.confirm(bindMint({ mint: 'described' }));
    for (const name of ['holder', 'outsider']) await addTokenAccount(chain, name, mint);
    await chain.confirm(issueTokens({ mint: 'described' }));
    const mine = await tokens('holder', 'described');
    const other = await addTokenAccount(chain, 'other holder', mint);
    const before = chain.data(mint).length;
    // UpdateField of the metadata interface: sha256("spl_token_metadata_interface:updating_field"), field Uri.
    const update = [221, 233, 49, 45, 181, 202, 220, 200, 2, 100, 0, 0, 0, ...new Array(100).fill(0x61)];
    await chain.confirm(ofToken2022(update, [mint, issuer], [issuer]));
    expect(chain.data(mint).length).toBeGreaterThan(before);
    await chain.reject('DESTINATION_PASS_MISSING', transfer({ mint: 'described', to: 'outsider' }));
    await chain.confirm(transfer({ mint: 'described' }));
    expect([balanceOf(chain, mine), balanceOf(chain, other)]).toEqual([990n, 10n]);
  });
});
