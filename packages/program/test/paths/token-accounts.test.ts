/** No tokens reach an owner without a live pass by way of a token account: its owner, delegate, life, or kind. */
import { createTokenAccountInstruction, SYSTEM_PROGRAM, tokenAccountAddress } from '@service/protocol';
import type { Address } from '@solana/kit';
import {
  AuthorityType,
  getFreezeAccountInstruction,
  getInitializeAccount3Instruction,
  getInitializeImmutableOwnerInstruction,
  getInitializeMultisig2Instruction,
  getThawAccountInstruction,
} from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { addressOf, noop } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { at, TREASURY } from '../support/governance.ts';
import { MEMO, withAddress } from '../support/instruction.ts';
import { balanceOf, HOLDER_EXPIRY, issueTokens, marketChain, mintOf, transfer } from '../support/market.ts';
import { addLooseTokenAccount, addTokenAccount, createTokenProgramAccount } from '../support/mints.ts';
import { passAt, RULE } from '../support/rule-sets.ts';
import {
  approve,
  BOTH,
  burn,
  closeAccount,
  handOver,
  ONE,
  ofToken2022,
  token2022,
  tokens,
} from '../support/token-instructions.ts';

const chain = chainPerTest(marketChain);

/** A plain token account of the holder, at a key of its own. */
async function plain(immutableOwner: boolean): Promise<Address> {
  const mint = await addressOf(ONE);
  return addLooseTokenAccount(chain, { at: 'plain account', owner: 'holder', mint, immutableOwner });
}

describe('a token account changes hands', () => {
  it('never, if it is an associated account or has ImmutableOwner: Token-2022 refuses', async () => {
    for (const account of [await tokens('holder'), await plain(true)]) {
      await chain.reject(/Custom\(34\)/, handOver(account));
    }
  });

  it('if it lacks ImmutableOwner, but it never receives tokens: hook and issue-tokens refuse', async () => {
    const account = await plain(false);
    const attempts = async (to: string) => [
      await transfer({ from: 'holder', to, destination: account }),
      await issueTokens({ holder: to, destination: account }),
    ];
    for (const attempt of await attempts('holder')) {
      await chain.reject('TOKEN_ACCOUNT_OWNER_MUTABLE', attempt);
    }
    await chain.confirm(handOver(account));
    for (const attempt of await attempts('outsider')) {
      await chain.reject('TOKEN_ACCOUNT_OWNER_MUTABLE', attempt);
    }
  });

  it('cannot be filled and handed over in one transaction', async () => {
    const account = await plain(false);
    const fill = await transfer({ to: 'holder', destination: account });
    await chain.rejectAt(0, 'TOKEN_ACCOUNT_OWNER_MUTABLE', fill, handOver(account));
  });

  it('cannot get ImmutableOwner later: Token-2022 makes room, and refuses to fill it', async () => {
    const account = await plain(false);
    const [holder, payer] = [await addressOf('holder'), await addressOf('payer')];
    const late = getInitializeImmutableOwnerInstruction({ account }, token2022);
    await chain.reject(/InstructionError\(0/, late);
    const grow = ofToken2022([29, 7, 0], [account, payer, SYSTEM_PROGRAM, holder], [payer, holder]);
    await chain.send(grow);
    await chain.reject(/InstructionError\(0/, late);
    await chain.reject('TOKEN_ACCOUNT_OWNER_MUTABLE', issueTokens({ destination: account }));
  });

  it('cannot be closed with tokens in it by another close authority: Token-2022 refuses', async () => {
    const account = await tokens('holder');
    // With ImmutableOwner another close authority can be named all the same.
    await chain.confirm(handOver(account, AuthorityType.CloseAccount));
    await chain.reject(/Custom\(11\)/, closeAccount(account, 'outsider'));
  });

  it('is closed and created again for another owner at the same address: the hook finds no pass', async () => {
    const [account, mint] = [await plain(true), await addressOf(ONE)];
    const outsider = await addressOf('outsider');
    await chain.confirm(transfer({ to: 'holder', destination: account }));
    const again = [
      await burn(10n, { account }),
      await closeAccount(account, 'holder', 'payer'),
      await createTokenProgramAccount('plain account', 175, chain.rentOf(175)),
      getInitializeImmutableOwnerInstruction({ account }, token2022),
      getInitializeAccount3Instruction({ account, mint, owner: outsider }, token2022),
    ];
    const toFormerOwner = await transfer({ to: 'holder', destination: account });
    // The pass of the owner before is another than the list derives now.
    await chain.reject(/InstructionError\(5, Custom\(2724315840\)\)/, ...again, toFormerOwner);
    await chain.confirm(...again);
    await chain.reject(/Custom\(2724315840\)/, toFormerOwner);
    await chain.reject('DESTINATION_PASS_MISSING', transfer({ to: 'outsider', destination: account }));
  });
});

describe('a delegate', () => {
  it.each([ONE, BOTH])(
    'cannot move tokens to an owner without a pass, including itself: %s',
    async (mint) => {
      await chain.confirm(approve(mint, 'outsider'));
      const forbidden = await transfer({ mint, authority: 'outsider', to: 'outsider' });
      await chain.reject('DESTINATION_PASS_MISSING', forbidden);
    },
  );

  it('with a pass does not replace the expired pass of the owner of the source', async () => {
    await chain.confirm(approve(BOTH, 'other holder'));
    chain.setTime(HOLDER_EXPIRY);
    await chain.reject('SOURCE_PASS_EXPIRED', transfer({ mint: BOTH, authority: 'other holder' }));
  });

  it('that burns only reduces the supply', async () => {
    await chain.confirm(approve(BOTH, 'outsider'));
    const [account, mint] = [await tokens('holder', BOTH), await addressOf(BOTH)];
    const outcome = await chain.confirm(burn(100n, { mint: BOTH, authority: 'outsider' }));
    expect([...outcome.changed].sort()).toEqual([account, mint].sort());
    expect([balanceOf(chain, account), mintOf(chain, mint).supply]).toEqual([900n, 900n]);
  });
});

describe('a token account of a special kind', () => {
  it('owned by a multisig has an owner without a pass', async () => {
    const multisig = await addressOf('multisig');
    const signers = [await addressOf('holder'), await addressOf('other holder')];
    await chain.confirm(
      createTokenProgramAccount('multisig', 355, chain.rentOf(355)),
      getInitializeMultisig2Instruction({ multisig, m: 1, signers }, token2022),
    );
    for (const mint of [ONE, BOTH]) {
      await addTokenAccount(chain, 'multisig', await addressOf(mint));
      await chain.reject('DESTINATION_PASS_MISSING', transfer({ mint, to: 'multisig' }));
      await chain.reject('DESTINATION_PASS_MISSING', issueTokens({ mint, holder: 'multisig' }));
    }
  });

  it('owned by an address of a program, a token account or the treasury, has an owner without a pass', async () => {
    const [mint, payer] = [await addressOf(ONE), await addressOf('payer')];
    for (const owner of [await tokens('holder'), TREASURY, mint]) {
      await chain.confirm(createTokenAccountInstruction({ payer, mint, owner }));
      const destination = await tokenAccountAddress({ mint, owner });
      await chain.reject('DESTINATION_PASS_MISSING', transfer({ destination, destinationOwner: owner }));
      const issue = await issueTokens({ destination });
      const withPass = withAddress(issue, await passAt('holder'), await at.pass(RULE, owner));
      await chain.reject('DESTINATION_PASS_MISSING', withPass);
    }
  });

  it('with the CPI guard or required memos calls the hook like any other', async () => {
    for (const name of ['holder', 'outsider']) {
      const [account, owner, payer] = [await tokens(name), await addressOf(name), await addressOf('payer')];
      // Reallocate for MemoTransfer (8) and CpiGuard (11), then enable both.
      const room = ofToken2022([29, 8, 0, 11, 0], [account, payer, SYSTEM_PROGRAM, owner], [payer, owner]);
      const enable = [30, 34].map((number) => ofToken2022([number, 0], [account, owner], [owner]));
      await chain.confirm(room, ...enable);
    }
    await chain.reject(/Custom\(36\)/, transfer({ to: 'outsider' }));
    await chain.reject('DESTINATION_PASS_MISSING', MEMO, transfer({ to: 'outsider' }));
    await chain.confirm(transfer());
    await chain.confirm(MEMO, transfer({ from: 'other holder', to: 'holder' }));
  });

  it('that is frozen moves no tokens, and works again after it is thawed', async () => {
    const [account, mint, owner] = [await tokens('holder'), await addressOf(ONE), await noop('issuer')];
    await chain.confirm(getFreezeAccountInstruction({ account, mint, owner }, token2022));
    await chain.reject(/Custom\(17\)/, transfer());
    await chain.confirm(getThawAccountInstruction({ account, mint, owner }, token2022));
    await chain.reject('DESTINATION_PASS_MISSING', transfer({ to: 'outsider' }));
    await chain.confirm(transfer());
  });
});
