import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  type CompiledTransactionMessage,
  compileTransactionMessage,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { describe, expect, it } from 'vitest';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../addresses.ts';
import { memoText } from '../memo.ts';
import { operationMessage } from '../plans/message.ts';
import { type AdditionLimits, adoptable } from './adoptable.ts';
import { budgetInstructions, COMPUTE_BUDGET_PROGRAM } from './compute-budget.ts';
import { LIGHTHOUSE_PROGRAM } from './guard.ts';
import { readOperationInstructions } from './operation-instructions.ts';

const WALLET = address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');
const OTHER = address('9fuKLiXcdyKy1xHdSFHw4z7jyTnPkKQsVZVVdNPnPM9f');
const TOKEN_ACCOUNT = address('SysvarRent111111111111111111111111111111111');
const BLOCKHASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const OPERATION = '3f2b8a3e-5b7e-4c1a-9d3e-0a1b2c3d4e5f';
const LIMITS: AdditionLimits = { guards: true, maxPriorityFeeLamports: 10_000n };

const action: Instruction = {
  programAddress: SYSTEM_PROGRAM,
  accounts: [
    { address: WALLET, role: AccountRole.WRITABLE_SIGNER },
    { address: TOKEN_ACCOUNT, role: AccountRole.READONLY },
  ],
  data: Uint8Array.of(1, 2, 3),
};
const memo = getAddMemoInstruction({ memo: memoText(OPERATION) }, { programAddress: MEMO_PROGRAM });
const prepared = operationMessage({
  wallet: WALLET,
  operationId: OPERATION,
  blockhash: BLOCKHASH,
  instruction: action,
});

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const guard = (data: string | Uint8Array, ...accounts: Address[]): Instruction => ({
  programAddress: LIGHTHOUSE_PROGRAM,
  accounts: accounts.map((key) => ({ address: key, role: AccountRole.READONLY })),
  data: typeof data === 'string' ? hex(data) : data,
});
const U64 = '0102030405060708';
const KEY = '11'.repeat(32);
/** The fee payer belongs to the system program, as Solflare asserts it. */
const OWNER_GUARD = guard('060401 030000', WALLET);
/** Guards of the sizes that Phantom adds: 17, 52 and 16 bytes before the action, 27 after it. */
const PHANTOM_BEFORE = [
  guard(`0a0403 02${U64}00 030000 08`, TOKEN_ACCOUNT),
  guard(`060403 00${U64}04 030200 08${KEY}00a501`, TOKEN_ACCOUNT),
  guard(`060402 00${U64}04 030000`, WALLET),
];
const PHANTOM_AFTER = guard(`0a0404 02${U64}04 06${U64}00 030000 08`, TOKEN_ACCOUNT);
const budget = (limit: number, price: bigint) => budgetInstructions({ limit, price });

/** Compiles instructions as a wallet does. */
function compiled(
  instructions: readonly Instruction[],
  { payer = WALLET, blockhash = BLOCKHASH }: { payer?: Address; blockhash?: string } = {},
): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(payer, draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
        draft,
      ),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  return new Uint8Array(getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(message)));
}

type Version0 = Extract<CompiledTransactionMessage, { version: 0 }>;

/** Changes the compiled form of a message. */
function changed(message: Uint8Array, change: (compiled: Version0) => object): Uint8Array {
  const read = getCompiledTransactionMessageDecoder().decode(message) as Version0;
  return new Uint8Array(
    getCompiledTransactionMessageEncoder().encode({ ...read, ...change(read) } as typeof read),
  );
}

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
    ['no action', compiled([memo]), /memo or the action/],
    ['the action twice', compiled([memo, action, action]), /more than guards/],
    ['the action before the memo', compiled([action, memo]), /memo or the action/],
    ['a second memo', compiled([memo, action, secondMemo]), /more than guards/],
    ['another memo', compiled([secondMemo, action]), /memo or the action/],
    ['other data', compiled([memo, { ...action, data: Uint8Array.of(1, 2, 4) }]), /memo or the action/],
    ['more data', compiled([memo, { ...action, data: Uint8Array.of(1, 2, 3, 0) }]), /memo or the action/],
    [
      'another account',
      compiled([memo, { ...action, accounts: [action.accounts![0]!, { address: OTHER, role: 0 }] }]),
      /memo or the action/,
    ],
    [
      'one account fewer',
      compiled([memo, { ...action, accounts: action.accounts!.slice(0, 1) }]),
      /memo or the action/,
    ],
    ['another program', compiled([memo, { ...action, programAddress: OTHER }]), /memo or the action/],
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
