/** No tokens of a bound mint come into being but by issue-tokens, and no authority over it is left to anyone. */
import { addressBytes } from '@service/contract';
import { AccountRole } from '@solana/kit';
import { getMintToCheckedInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { balanceOf, bindMint, issueTokens, mintOf } from '../support/bindings.ts';
import { addressOf, noop } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { at } from '../support/governance.ts';
import { withAccount } from '../support/instruction.ts';
import {
  addLooseTokenAccount,
  addMint,
  addTokenAccount,
  DECIMALS,
  initializeMetadata,
  metadataPointer,
  transferHook,
  UNSUPPORTED_EXTENSIONS,
} from '../support/mints.ts';
import { expectDone, expectRefused, expectRefusedOutside } from '../support/outcome.ts';
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
import { marketChain, transfer } from '../support/transfers.ts';

const chain = chainPerTest(marketChain);

describe('the supply', () => {
  it('cannot grow by minting: the authority is the binding, and no key signs for it', async () => {
    const [mint, token] = [await addressOf(ONE), await tokens('holder')];
    const byIssuer = await mintTo(token, mint);
    const checked = { mint, token, mintAuthority: await noop('issuer'), amount: 5n, decimals: DECIMALS };
    expectRefusedOutside(await chain.send(byIssuer), /Custom\(4\)/);
    expectRefusedOutside(await chain.send(getMintToCheckedInstruction(checked, token2022)), /Custom\(4\)/);
    const binding = { address: await at.mintBinding(mint), role: AccountRole.READONLY };
    expectRefusedOutside(await chain.send(withAccount(byIssuer, 2, binding)), /MissingRequiredSignature/);
  });

  it('does not grow again when tokens were burned', async () => {
    const [mint, account] = [await addressOf(ONE), await tokens('holder')];
    expectDone(await chain.send(burn(1_000n)));
    expect(mintOf(chain, mint).supply).toBe(0n);
    expectRefusedOutside(await chain.send(mintTo(account, mint)), /Custom\(4\)/);
    expectRefused(await chain.send(issueTokens({ holder: 'outsider' })), 'DESTINATION_PASS_MISSING');
  });

  it('must be zero when the mint is bound, even if tokens were minted before', async () => {
    const mint = await addMint(chain, { mint: 'minted' });
    const early = await addLooseTokenAccount(chain, { at: 'early', owner: 'outsider', mint });
    const bind = await bindMint({ mint: 'minted' });
    expectDone(await chain.send(mintTo(early, mint)));
    expectRefused(await chain.send(bind), 'MINT_SUPPLY_NOT_ZERO');
    const burned = await burn(5n, { mint: 'minted', authority: 'outsider', account: early });
    // Minting after the binding in the same transaction finds another authority.
    expectRefusedOutside(
      await chain.send(burned, bind, mintTo(early, mint)),
      /InstructionError\(2, Custom\(4\)\)/,
    );
    expectDone(await chain.send(burned, bind));
    expect(mintOf(chain, mint).supply).toBe(0n);
  });

  it('cannot be moved before the binding: a transfer of a mint with the hook is refused', async () => {
    const mint = await addMint(chain, { mint: 'unbound' });
    const [source, destination] = [
      await addTokenAccount(chain, 'holder', mint),
      await addTokenAccount(chain, 'other holder', mint),
    ];
    expectDone(await chain.send(mintTo(source, mint)));
    expectRefusedOutside(
      await chain.send(transfer({ mint: 'unbound', source, destination })),
      /InstructionError\(0/,
    );
  });
});

describe('token accounts from before the binding', () => {
  it('receive tokens only if their owner is fixed, and their delegates cannot avoid the hook', async () => {
    const mint = await addMint(chain, { mint: 'late' });
    const make = async (at: string, immutableOwner: boolean) =>
      addLooseTokenAccount(chain, { at, owner: 'holder', mint, immutableOwner });
    const [fixed, loose] = [await make('fixed', true), await make('loose', false)];
    expectDone(await chain.send(approve('late', 'outsider', { source: fixed })));
    const theirs = await addTokenAccount(chain, 'outsider', mint);
    expectDone(await chain.send(bindMint({ mint: 'late' })));

    const issue = { mint: 'late', holder: 'holder' };
    expectRefused(
      await chain.send(issueTokens({ ...issue, destination: loose })),
      'TOKEN_ACCOUNT_OWNER_MUTABLE',
    );
    expectDone(await chain.send(issueTokens({ ...issue, destination: fixed })));
    const theft = { mint: 'late', authority: 'outsider', to: 'outsider', source: fixed, destination: theirs };
    expectRefused(await chain.send(transfer(theft)), 'DESTINATION_PASS_MISSING');
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

  it('nobody can change or remove the hook, because it has no authority', async () => {
    const [mint, issuer] = [await addressOf(ONE), await addressOf('issuer')];
    for (const program of [new Uint8Array(32), addressBytes(await addressOf('unrelated wallet'))]) {
      const update = ofToken2022([36, 1, ...program], [mint, issuer], [issuer]);
      expectRefusedOutside(await chain.send(update), /InstructionError\(0/);
    }
  });

  it.each([...Object.keys(UNSUPPORTED_EXTENSIONS), 'transfer hook'])(
    'the mint gets no extension: %s',
    async (name) => {
      const issuer = await addressOf('issuer');
      const { data } =
        name === 'transfer hook'
          ? transferHook({ authority: issuer })
          : UNSUPPORTED_EXTENSIONS[name]!(issuer);
      const late = ofToken2022(data, [await addressOf(ONE)]);
      expectRefusedOutside(await chain.send(late), /InstructionError\(0/);
    },
  );

  it('the mint cannot be closed and created again: it has no close authority', async () => {
    const mint = await addressOf(ONE);
    expectDone(await chain.send(burn(1_000n)));
    for (const name of ['issuer', 'holder']) {
      expectRefusedOutside(await chain.send(closeAccount(mint, name)), /InstructionError\(0/);
    }
  });

  it('metadata that makes the mint longer does not move the hook', async () => {
    const [issuer, mint] = [await addressOf('issuer'), await addressOf('described')];
    await addMint(chain, {
      mint: 'described',
      extensions: [transferHook(), metadataPointer(issuer, mint)],
      spare: 400,
    });
    expectDone(await chain.send(initializeMetadata(mint)));
    expectDone(await chain.send(bindMint({ mint: 'described' })));
    for (const name of ['holder', 'outsider']) await addTokenAccount(chain, name, mint);
    expectDone(await chain.send(issueTokens({ mint: 'described' })));
    const [mine, other] = [
      await tokens('holder', 'described'),
      await addTokenAccount(chain, 'other holder', mint),
    ];
    const before = chain.data(mint).length;
    // UpdateField of the metadata interface: sha256("spl_token_metadata_interface:updating_field"), field Uri.
    const update = ofToken2022(
      [221, 233, 49, 45, 181, 202, 220, 200, 2, 100, 0, 0, 0, ...new Array(100).fill(0x61)],
      [mint, issuer],
      [issuer],
    );
    expectDone(await chain.send(update));
    expect(chain.data(mint).length).toBeGreaterThan(before);
    expectRefused(
      await chain.send(transfer({ mint: 'described', to: 'outsider' })),
      'DESTINATION_PASS_MISSING',
    );
    expectDone(await chain.send(transfer({ mint: 'described' })));
    expect([balanceOf(chain, mine), balanceOf(chain, other)]).toEqual([990n, 10n]);
  });
});
