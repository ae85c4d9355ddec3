/**
 * No instruction of Token-2022 but the checked transfer moves tokens of a bound mint between token accounts, and that
 * one asks the hook whatever accounts it is given: Token-2022 finds those of the list by their addresses.
 */
import { TOKEN_2022_PROGRAM } from '@service/protocol';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, PROGRAM, UNRELATED_WALLET } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { issueCredential } from '../support/credentials.ts';
import { at, PASS_FEE } from '../support/governance.ts';
import { withAccount, withAddress } from '../support/instruction.ts';
import { balanceOf, HOLDER_EXPIRY, marketChain, transfer } from '../support/market.ts';
import { DECIMALS, remove } from '../support/mints.ts';
import { codeOf } from '../support/outcome.ts';
import { prove } from '../support/passes.ts';
import { addRuleSet, passAt } from '../support/rule-sets.ts';
import { BOTH, ONE, ofToken2022, tokens } from '../support/token-instructions.ts';

const chain = chainPerTest(marketChain);

const u64 = (value: bigint) => [...new Uint8Array(BigUint64Array.of(value).buffer)];

function orders<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((first, index) => orders(things.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

describe('the accounts of a checked transfer', () => {
  const withExtras = (whole: Instruction, extras: readonly AccountMeta[]): Instruction => ({
    ...whole,
    accounts: [...whole.accounts!.slice(0, 4), ...extras],
  });

  it.each([ONE, BOTH])('may have any order and appear twice: %s', async (mint) => {
    const [good, forbidden] = [
      await transfer({ mint, amount: 1n }),
      await transfer({ mint, to: 'outsider' }),
    ];
    for (const extras of orders(good.accounts!.slice(4))) {
      await chain.confirm(withExtras(good, [...extras, ...extras]));
    }
    for (const extras of orders(forbidden.accounts!.slice(4))) {
      await chain.reject('DESTINATION_PASS_MISSING', withExtras(forbidden, extras));
    }
  });

  it.each([ONE, BOTH])('cannot be replaced, each by any other account of the chain: %s', async (mint) => {
    const forbidden = await transfer({ mint, to: 'outsider' });
    const others = [await addressOf('holder'), PROGRAM, TOKEN_2022_PROGRAM, UNRELATED_WALLET];
    const pool = [...(Object.keys(chain.state()) as Address[]), ...others];
    for (let place = 4; place < forbidden.accounts!.length; place += 1) {
      for (const address of pool) {
        const outcome = await chain.send(withAccount(forbidden, place, { address }));
        expect(outcome.refusal, `${place} ${address}`).not.toBeNull();
        expect(outcome.changed).toEqual([]);
      }
    }
  });

  it('with the list of another mint or an unrelated account: Token-2022 calls the hook with four accounts', async () => {
    const forbidden = await transfer({ to: 'outsider' });
    const list = await at.extraAccountMetaList(await addressOf(ONE));
    for (const other of [await at.extraAccountMetaList(await addressOf(BOTH)), UNRELATED_WALLET]) {
      await chain.reject('WRONG_ACCOUNT_COUNT', withAddress(forbidden, list, other));
    }
  });

  it('without the list: four accounts are too few for the hook', async () => {
    const forbidden = await transfer({ to: 'outsider' });
    const hook = { address: PROGRAM, role: AccountRole.READONLY };
    await chain.reject('WRONG_ACCOUNT_COUNT', withExtras(forbidden, [hook]));
    await chain.reject(/InstructionError\(0/, withExtras(forbidden, []));
  });

  it('with a pass for another rule set: the list derives the pass of the bound rule set', async () => {
    const rule = await addRuleSet(chain, { nonce: 2n, passFunds: 2n * PASS_FEE });
    await chain.confirm(issueCredential({ wallet: 'outsider' }));
    await chain.confirm(prove({ wallet: 'outsider', rule }));
    const forbidden = await transfer({ to: 'outsider' });
    await chain.reject('DESTINATION_PASS_MISSING', forbidden);
    const disguised = withAddress(forbidden, await passAt('outsider'), await passAt('outsider', rule));
    await chain.reject(/Custom\(2724315840\)/, disguised);
  });

  it('are required for an amount of zero too', async () => {
    await chain.reject('DESTINATION_PASS_MISSING', transfer({ to: 'outsider', amount: 0n }));
  });

  it('of an owner without a pass are refused only if the binding requires the pass of the source', async () => {
    remove(chain, await passAt('holder'));
    await chain.reject('SOURCE_PASS_MISSING', transfer({ mint: BOTH }));
    await chain.confirm(transfer({ mint: ONE }));
  });

  it('from an account to itself move nothing, even with an expired pass', async () => {
    chain.setTime(HOLDER_EXPIRY);
    const source = await tokens('holder', BOTH);
    const outcome = await chain.send(transfer({ mint: BOTH, to: 'holder', destination: source }));
    expect(outcome.changed).toEqual([]);
    expect(balanceOf(chain, source)).toBe(1_000n);
  });
});

/** The accounts of a transfer by their first letters: source, mint, destination, holder (who signs). */
type Places = 'smdh' | 'sdh' | 'smh' | 'mdh' | 'mdhs' | 'ms' | 's' | 'mh';

/** Instructions that move tokens of some mint, their data and accounts, and what stops them for a bound mint. */
const MOVES: Record<string, [data: number[], places: Places, stoppedBy: RegExp]> = {
  // MintRequiredForTransfer
  'transfer, unchecked': [[3, ...u64(10n)], 'sdh', /Custom\(31\)/],
  'transfer, unchecked, in a batch': [[255, 3, 9, 3, ...u64(10n)], 'sdh', /Custom\(31\)/],
  'checked transfer in a batch, without the list': [
    [255, 4, 10, 12, ...u64(10n), DECIMALS],
    'smdh',
    new RegExp(`Custom\\(${codeOf('WRONG_ACCOUNT_COUNT')}\\)`),
  ],
  // The extension is not there
  'withdrawal of withheld fees from the mint': [[26, 2], 'mdh', /InvalidAccountData/],
  'withdrawal of withheld fees from accounts': [[26, 3, 1], 'mdhs', /InvalidAccountData/],
  'harvest of withheld fees': [[26, 4], 'ms', /InvalidAccountData/],
  'confidential deposit': [[27, 5, ...u64(10n), DECIMALS], 'smh', /InvalidAccountData/],
  pausing: [[44, 1], 'mh', /InvalidAccountData/],
  'burn with permission': [[46, 1, ...u64(10n)], 'smh', /Custom\(12\)/],
  // NonNativeNotSupported: the mint is not that of wrapped SOL
  'unwrapping of lamports': [[45, 1, ...u64(10n)], 'sdh', /Custom\(19\)/],
  'synchronisation with lamports': [[17], 's', /InvalidArgument/],
};

describe('an instruction of Token-2022', () => {
  /** The instruction from the holder to the key of a name, with the accounts of the hook after its own. */
  async function move(mint: string, to: string, data: number[], places: Places): Promise<Instruction> {
    const whole = await transfer({ mint, to });
    const [source, ofMint, destination, holder] = whole.accounts!.map(({ address }) => address);
    const named = { s: source!, m: ofMint!, d: destination!, h: holder! };
    const accounts = [...places].map((place) => named[place as keyof typeof named]);
    const instruction = ofToken2022(data, accounts, [holder!]);
    return { ...instruction, accounts: [...instruction.accounts!, ...whole.accounts!.slice(4)] };
  }

  it.each(Object.keys(MOVES))('moves no tokens of a bound mint: %s', async (name) => {
    const [data, places, stoppedBy] = MOVES[name]!;
    for (const mint of [ONE, BOTH]) await chain.reject(stoppedBy, move(mint, 'other holder', data, places));
  });

  const ASKING: Record<string, (mint: string) => number[]> = {
    'checked transfer with a fee': () => [26, 1, ...u64(10n), DECIMALS, ...u64(0n)],
    'checked transfer in a batch': (mint) => [255, mint === BOTH ? 9 : 8, 10, 12, ...u64(10n), DECIMALS],
  };
  it.each(Object.keys(ASKING))('calls the hook as a checked transfer does: %s', async (name) => {
    for (const mint of [ONE, BOTH]) {
      const data = ASKING[name]!(mint);
      await chain.confirm(move(mint, 'other holder', data, 'smdh'));
      await chain.reject('DESTINATION_PASS_MISSING', move(mint, 'outsider', data, 'smdh'));
    }
  });
});
