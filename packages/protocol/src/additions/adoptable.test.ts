import { AccountRole, type Instruction } from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { describe, expect, it } from 'vitest';
import {
  action,
  BLOCKHASH,
  budget,
  changed,
  compiled,
  guard,
  hex,
  KEY,
  LIMITS,
  memo,
  OPERATION,
  OTHER,
  OWNER_GUARD,
  PHANTOM_AFTER,
  PHANTOM_BEFORE,
  prepared,
  TOKEN_ACCOUNT,
  U64,
  WALLET,
} from '../../test/support/changed-messages.ts';
import { MEMO_PROGRAM } from '../addresses.ts';
import { operationMessage } from '../plans/message.ts';
import { type AdditionLimits, adoptable } from './adoptable.ts';
import { COMPUTE_BUDGET_PROGRAM } from './compute-budget.ts';
import { readOperationInstructions } from './operation-instructions.ts';

const decide = (signed: Uint8Array, limits: Partial<AdditionLimits> = {}) =>
  adoptable(prepared, signed, { wallet: WALLET, limits: { ...LIMITS, ...limits } });

describe('accepts', () => {
  const [limit, price] = budget(200_000, 50_000n);
  it.each<[string, readonly Instruction[], bigint]>([
    ['the prepared message', [memo, action], 0n],
    ['one guard at the end', [memo, action, OWNER_GUARD], 0n],
    ['a price without a limit', [budget(0, 7_000n)[1]!, memo, action], 9_800n],
    ['a limit without a price', [limit!, memo, action], 0n],
    ['the budget at the end', [memo, action, price!, limit!], 10_000n],
    ['four guards and a budget', [limit!, price!, ...PHANTOM_BEFORE, memo, action, PHANTOM_AFTER], 10_000n],
    ['a guard on an account that is not in the message', [memo, action, guard(`050000${U64}04`, OTHER)], 0n],
  ])('%s', (_name, instructions, priorityFeeLamports) => {
    expect(decide(compiled(instructions))).toEqual({ isAdoptable: true, priorityFeeLamports });
  });

  it('another order of the addresses', () => {
    const message = compiled([memo, action, OWNER_GUARD]);
    const reordered = changed(message, ({ staticAccounts, instructions }) => {
      const [payer, ...rest] = staticAccounts;
      const turned = [payer!, ...rest.toReversed()];
      const index = (old: number) => turned.indexOf(staticAccounts[old]!);
      return {
        staticAccounts: turned,
        instructions: instructions.map(({ programAddressIndex, accountIndices = [], ...rest }) => ({
          ...rest,
          programAddressIndex: index(programAddressIndex),
          accountIndices: accountIndices.map(index),
        })),
      };
    });
    expect(reordered).not.toEqual(message);
    expect(decide(reordered).isAdoptable).toBe(true);
  });

  it('another price in place of the one that was prepared', () => {
    const limits = { wallet: WALLET, limits: LIMITS };
    const asked = { wallet: WALLET, operationId: OPERATION, blockhash: BLOCKHASH, instruction: action };
    const withPrice = operationMessage({ ...asked, budget: { limit: 100_000, price: 10_000n } });
    const signed = compiled([...budget(100_000, 90_000n), memo, action]);
    expect(adoptable(withPrice, signed, limits)).toEqual({ isAdoptable: true, priorityFeeLamports: 9_000n });
    expect(adoptable(withPrice, prepared, limits).isAdoptable).toBe(true);
  });
});

describe('rejects', () => {
  const writable: Instruction = {
    ...OWNER_GUARD,
    accounts: [{ address: OTHER, role: AccountRole.WRITABLE }],
  };
  const secondMemo = getAddMemoInstruction({ memo: 'other' }, { programAddress: MEMO_PROGRAM });
  const [limit, price] = budget(200_000, 50_000n);
  it.each<[string, Uint8Array, RegExp]>([
    ['another blockhash', compiled([memo, action], { blockhash: OTHER }), /blockhash/],
    ['another fee payer', compiled([memo, action], { payer: OTHER }), /more than guards/],
    ['another payer without the wallet', compiled([memo], { payer: OTHER }), /fee payer/],
    ['no action', compiled([memo]), /what the transaction does/],
    ['the action twice', compiled([memo, action, action]), /more than guards/],
    ['the action before the memo', compiled([action, memo]), /what the transaction does/],
    ['a second memo', compiled([memo, action, secondMemo]), /more than guards/],
    ['another memo', compiled([secondMemo, action]), /what the transaction does/],
    [
      'other data',
      compiled([memo, { ...action, data: Uint8Array.of(1, 2, 4) }]),
      /what the transaction does/,
    ],
    [
      'more data',
      compiled([memo, { ...action, data: Uint8Array.of(1, 2, 3, 0) }]),
      /what the transaction does/,
    ],
    [
      'another account',
      compiled([memo, { ...action, accounts: [action.accounts![0]!, { address: OTHER, role: 0 }] }]),
      /what the transaction does/,
    ],
    [
      'one account fewer',
      compiled([memo, { ...action, accounts: action.accounts!.slice(0, 1) }]),
      /what the transaction does/,
    ],
    ['another program', compiled([memo, { ...action, programAddress: OTHER }]), /what the transaction does/],
    ['a guard that writes', compiled([memo, action, writable]), /write/],
    [
      'an action that may write to more',
      compiled([
        memo,
        action,
        { ...OWNER_GUARD, accounts: [{ address: TOKEN_ACCOUNT, role: AccountRole.WRITABLE }] },
      ]),
      /write/,
    ],
    [
      'a second signer',
      compiled([
        memo,
        action,
        { ...OWNER_GUARD, accounts: [{ address: OTHER, role: AccountRole.READONLY_SIGNER }] },
      ]),
      /more than guards/,
    ],
    [
      'an address that nothing uses',
      changed(compiled([memo, action]), ({ staticAccounts, header }) => ({
        staticAccounts: [...staticAccounts, OTHER],
        header: { ...header, numReadonlyNonSignerAccounts: header.numReadonlyNonSignerAccounts + 1 },
      })),
      /write/,
    ],
    [
      'an address twice',
      changed(compiled([memo, action]), ({ staticAccounts, header }) => ({
        staticAccounts: [...staticAccounts, TOKEN_ACCOUNT],
        header: { ...header, numReadonlyNonSignerAccounts: header.numReadonlyNonSignerAccounts + 1 },
      })),
      /more than guards/,
    ],
    [
      'a lookup table',
      changed(compiled([memo, action]), () => ({
        addressTableLookups: [{ lookupTableAddress: OTHER, writableIndexes: [], readonlyIndexes: [0] }],
      })),
      /more than guards/,
    ],
    [
      'a legacy message',
      changed(compiled([memo, action]), () => ({ version: 'legacy' })),
      /more than guards/,
    ],
    ['an overlong length', overlong(compiled([memo, action])), /valid message/],
    ['a byte more', Uint8Array.of(...compiled([memo, action]), 0), /valid message/],
    ['no bytes', new Uint8Array(), /valid message/],
    ['a compute limit twice', compiled([limit!, limit!, memo, action]), /more than guards/],
    ['a price twice', compiled([price!, price!, memo, action]), /more than guards/],
    [
      'another compute budget instruction',
      compiled([{ programAddress: COMPUTE_BUDGET_PROGRAM, data: hex('0100000400') }, memo, action]),
      /more than guards/,
    ],
    [
      'a compute budget instruction with an account',
      compiled([{ ...price!, accounts: [{ address: OTHER, role: 0 }] }, memo, action]),
      /more than guards/,
    ],
    ['seven guards', compiled([memo, action, ...Array(7).fill(OWNER_GUARD)]), /more than 6 guards/],
    [
      'guards of more than 300 bytes',
      compiled([memo, action, ...Array(6).fill(PHANTOM_BEFORE[1])]),
      /more than 300 bytes/,
    ],
    ['a fee above the cap', compiled([limit!, budget(0, 50_001n)[1]!, memo, action]), /10001 lamports/],
    ['a guard without an account', compiled([memo, action, guard('060401030000')]), /more than guards/],
    [
      'a guard on two accounts',
      compiled([memo, action, guard('060401030000', WALLET, OTHER)]),
      /more than guards/,
    ],
    ['a program next to Lighthouse', compiled([memo, action, { programAddress: OTHER }]), /more than guards/],
  ])('%s', (_name, signed, reason) => {
    expect(decide(signed)).toEqual({ isAdoptable: false, reason: expect.stringMatching(reason) });
  });

  it('a guard or a fee that the caller did not allow', () => {
    expect(decide(compiled([memo, action, OWNER_GUARD]), { guards: false }).isAdoptable).toBe(false);
    const [, cheap] = budget(0, 1n);
    const paying = compiled([cheap!, memo, action]);
    expect(decide(paying, { maxPriorityFeeLamports: 1n })).toMatchObject({ isAdoptable: false });
    expect(decide(paying, { maxPriorityFeeLamports: 2n })).toEqual({
      isAdoptable: true,
      priorityFeeLamports: 2n,
    });
  });
});

describe('the data of a guard', () => {
  const isGuard = (data: string) =>
    readOperationInstructions(compiled([memo, action, guard(data, WALLET)])) !== null;
  const accountInfo = [
    `00${U64}05`,
    `01${U64}07`,
    `02${KEY}01`,
    '030800',
    `04${U64}00`,
    '050100',
    '060001',
    '070100',
    `08${KEY}00a501`,
  ]; // prettier-ignore
  const tokenAccount = [
    `00${KEY}00`,
    `01${KEY}01`,
    `02${U64}05`,
    '030000',
    `0301${KEY}00`,
    '040100',
    '050000',
    `0501${U64}01`,
    `06${U64}00`,
    '070000',
    `0701${KEY}01`,
    '08',
  ]; // prettier-ignore

  it.each([
    ...accountInfo.flatMap((data) => [`0500${data}`, `060201${data}`]),
    ...tokenAccount.flatMap((data) => [`0905${data}`, `0a0101${data}`]),
    `060002${accountInfo[0]}${accountInfo[8]}`,
  ])('%s is read to its last byte', (data) => {
    expect(isGuard(data)).toBe(true);
    expect(isGuard(`${data}00`)).toBe(false);
    expect(isGuard(data.slice(0, -2))).toBe(false);
  });

  it.each([
    ['memory write', `0000${U64}`],
    ['memory close', '010000'],
    ['account data', `020000 07${U64}00`],
    ['account delta', '0400'],
    ['clock', `0f0000${U64}00`],
    ['merkle tree, which calls another program', '1000'],
    ['an unknown instruction', '1200'],
    ['a log level that calls another program', '050303 0000'],
    ['the other such log level', '050603 0000'],
    ['an unknown log level', '0507030000'],
    ['no assertion in a list', '060000'],
    ['a list that is shorter than it says', '060002030000'],
    ['a list of 128', '060080030000'],
    ['an unknown assertion', '05000900'],
    ['an unknown program', '0500030900'],
    ['an unknown operator', `050000${U64}08`],
    ['an equality of another kind', `050002${KEY}02`],
    ['a flag of 2', '0500050200'],
    ['an option of 2', `09000302${KEY}00`],
    ['an overlong offset', `050008${KEY}008000`],
    ['an offset of three bytes', `050008${KEY}00808001`],
    ['nothing', ''],
  ])('%s is no guard', (_name, data) => {
    expect(isGuard(data)).toBe(false);
  });
});

/** Writes the number of addresses of a version 0 message in two bytes in place of one. */
function overlong(message: Uint8Array): Uint8Array {
  return Uint8Array.of(...message.slice(0, 4), message[4]! | 0x80, 0, ...message.slice(5));
}
