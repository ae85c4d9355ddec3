/** Each condition of the proof that a transaction never landed, with an RPC of fixed responses. */
import { memoText, operationMessage, SYSTEM_PROGRAM, wireTransaction } from '@service/protocol';
import { type Address, address, type Signature } from '@solana/kit';
import { expect, test } from 'vitest';
import { resultOf, rpcAround } from '../../../test/support/rpc-around.ts';
import type { OperationRow } from '../../database/schema.ts';
import { proveOperationAbsent } from './absence.ts';

const WALLET = address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');
const OTHER_WALLET = address('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR9');
const ID = '0b6f1c52-8f0e-4a55-9d0e-6f0e3a1f2b3c';
const OTHER_ID = '1c7a2d63-9a1f-4b66-8e1f-7a1f4b2a3c4d';
const SIGNATURE = '5'.repeat(88) as Signature;
const OTHER_SIGNATURE = '4'.repeat(88);
const MEMO = `[47] ${memoText(ID)}`;

const messageOf = (wallet: Address, seed = 1, operationId = ID) =>
  operationMessage({
    wallet,
    operationId,
    blockhash: OTHER_WALLET,
    instruction: { programAddress: SYSTEM_PROGRAM, data: new Uint8Array([seed]) },
  });

const row = {
  id: ID,
  wallet: WALLET,
  message: messageOf(WALLET),
  signature: SIGNATURE,
  last_valid_block_height: 150n,
  draft_slot: 1_000n,
} as OperationRow;

const entry = (changes: object = {}) => ({
  signature: OTHER_SIGNATURE,
  slot: 1_010,
  err: null,
  memo: MEMO,
  blockTime: null,
  confirmationStatus: 'finalized',
  ...changes,
});
const transaction = (message: Uint8Array, err: unknown = null) => ({
  slot: 1_010,
  blockTime: null,
  transaction: [Buffer.from(wireTransaction(message)).toString('base64'), 'base64'],
  meta: { err, status: err ? { Err: err } : { Ok: null }, fee: 5_000 },
  version: 0,
});

function epochAt(blockHeight: number) {
  return { absoluteSlot: 1_200, blockHeight, epoch: 0, slotIndex: 0, slotsInEpoch: 1, transactionCount: 1 };
}

/** Responses that prove that the transaction never landed. */
const ABSENT = {
  getEpochInfo: epochAt(151),
  getSignatureStatuses: { context: { slot: 1_204 }, value: [null] as unknown[] },
  getSignaturesForAddress: [] as unknown[],
  getFirstAvailableBlock: 1_000,
  getTransaction: null as unknown,
};

type Call = { method: string; params: readonly unknown[] };
/** Returns the result for a node with these responses. */
function prove(changes: Partial<typeof ABSENT>, calls: Call[] = []) {
  const responses: Record<string, unknown> = { ...ABSENT, ...changes };
  const node = rpcAround({ transport: null as never }, (_call, method, params) => {
    calls.push({ method, params });
    return resultOf(responses[method]);
  });
  return proveOperationAbsent(node, row, () => AbortSignal.timeout(5_000));
}

test('a node proves that the transaction never landed', async () => {
  expect(await prove({})).toEqual({ verdict: 'absent' });
});

test('all calls are at finalized, search the whole history, and are not older than the height', async () => {
  const calls: Call[] = [];
  await prove({}, calls);
  // No commitment means finalized: kit leaves it out, because it is the default of every node.
  expect(calls.map(({ method, params }) => [method, params.at(-1)])).toEqual([
    ['getEpochInfo', undefined],
    ['getSignatureStatuses', { searchTransactionHistory: true }],
    ['getSignaturesForAddress', expect.objectContaining({ minContextSlot: 1_200n, limit: 1_000 })],
    ['getFirstAvailableBlock', undefined],
  ]);
  expect(calls[2]?.params.at(-1)).not.toHaveProperty('commitment');
});

const status = (confirmationStatus: string, err: unknown = null) => ({
  context: { slot: 1_204 },
  value: [{ slot: 1_010, confirmations: null, err, status: {}, confirmationStatus }],
});

/** Returns entries with different signatures. */
const distinct = (count: number, make: () => object) =>
  Array.from({ length: count }, (_, index) => ({ ...make(), signature: `${index}`.padStart(88, 'z') }));

/** Responses with transactions of the wallet that have the memo. */
const withMemo = (message: Uint8Array | null, err?: unknown, count = 1) => ({
  getSignaturesForAddress: distinct(count, entry),
  getTransaction: message && transaction(message, err),
});
const noMemo = (count: number) => distinct(count, () => entry({ memo: null }));
const otherMemo = (changes: object = {}) => entry({ memo: '[5] hello', ...changes });
const absent = { verdict: 'absent' };
const unprovable = { verdict: 'unprovable' };
const landed = { verdict: 'landed', slot: 1_010n };
const failed = { ...landed, err: { InstructionError: expect.anything() } };
const failure = { InstructionError: [1, { Custom: 6_016 }] };
const earlier = { context: { slot: 1_199 }, value: [null] };
const otherMemos = {
  getTransaction: transaction(messageOf(WALLET, 1, OTHER_ID)),
  getSignaturesForAddress: [...noMemo(1), otherMemo()],
};
/** A node that lists this transaction of the wallet without its memo. */
const unlisted = (message: Uint8Array) => ({ ...withMemo(message), getSignaturesForAddress: noMemo(1) });
const fullPage = Array.from({ length: 999 }, () => otherMemo());
const reachesBack = { getSignaturesForAddress: [...fullPage, otherMemo({ slot: 999 })] };
const olderNoMemo = { getSignaturesForAddress: [entry({ memo: null, slot: 999 })] };

test.each<[string, Partial<typeof ABSENT>, object]>([
  ['the finalized height is at the last valid one', { getEpochInfo: epochAt(150) }, { verdict: 'possible' }],
  ['it landed', { getSignatureStatuses: status('finalized') }, landed],
  ['it landed and is not finalized', { getSignatureStatuses: status('confirmed') }, unprovable],
  ['the status is from a slot before the height', { getSignatureStatuses: earlier }, unprovable],
  ['the node’s history starts after the draft', { getFirstAvailableBlock: 1_001 }, unprovable],
  ['the same message landed under another signature', withMemo(row.message), { ...landed, err: null }],
  ['the same message failed under another signature', withMemo(row.message, failure), failed],
  ['the wallet signed another message with the memo', withMemo(messageOf(WALLET, 2)), unprovable],
  ['a transaction with the memo cannot be read', withMemo(null), unprovable],
  ['another wallet copied the memo', withMemo(messageOf(OTHER_WALLET)), absent],
  ['the wallet’s other transactions have other memos, or none', otherMemos, absent],
  ['the node lists the same message without its memo', unlisted(row.message), { ...landed, err: null }],
  ['the node lists another message without the memo', unlisted(messageOf(WALLET, 2)), unprovable],
  ['the node lists another wallet’s copy without the memo', unlisted(messageOf(OTHER_WALLET)), absent],
  ['a transaction without a listed memo cannot be read', { getSignaturesForAddress: noMemo(1) }, unprovable],
  ['a transaction from before the draft has no listed memo', olderNoMemo, absent],
  ['a full page reaches back to before the draft', reachesBack, absent],
])('when %s', async (_when, changes, expected) => {
  expect(await prove(changes)).toMatchObject(expected);
});

test('when the wallet has more transactions than are read, nothing is proven', async () => {
  const pageOf = (signature: string) => Array.from({ length: 1_000 }, () => otherMemo({ signature }));
  let pages = 0;
  const node = rpcAround({ transport: null as never }, (_call, method) => {
    if (method !== 'getSignaturesForAddress') return resultOf(ABSENT[method as keyof typeof ABSENT]);
    pages += 1;
    return resultOf(pageOf(`${pages}`.repeat(88)));
  });
  expect(await proveOperationAbsent(node, row, () => AbortSignal.timeout(5_000))).toEqual(unprovable);
  expect(pages).toBe(5);
});

test.each([1_000, 1_001])('a node that returns the same page of %i again proves nothing', async (length) => {
  const page = Array.from({ length }, () => otherMemo());
  await expect(prove({ getSignaturesForAddress: page })).rejects.toThrow('the same page');
});

test('when the node deleted the transaction where the next page begins, nothing is proven', async () => {
  const error = { code: -32_020, message: 'Transaction not found', data: { signature: OTHER_SIGNATURE } };
  const pages: unknown[] = [];
  const node = rpcAround({ transport: null as never }, (_call, method, params) => {
    const filter = params.at(-1) as { before?: string };
    if (method !== 'getSignaturesForAddress') return resultOf(ABSENT[method as keyof typeof ABSENT]);
    pages.push(filter.before);
    return filter.before
      ? { jsonrpc: '2.0', id: '1', error }
      : resultOf(Array.from({ length: 1_000 }, () => otherMemo()));
  });
  expect(await proveOperationAbsent(node, row, () => AbortSignal.timeout(5_000))).toEqual(unprovable);
  expect(pages).toEqual([undefined, OTHER_SIGNATURE]);
});

test('many copies of the memo by other wallets cost a limited number of calls and prove nothing', async () => {
  const copies = (count: number) => withMemo(messageOf(OTHER_WALLET), null, count);
  const read = async (count: number) => {
    const calls: Call[] = [];
    const { verdict } = await prove(copies(count), calls);
    return [verdict, calls.filter(({ method }) => method === 'getTransaction').length];
  };
  expect(await read(128)).toEqual(['absent', 128]);
  expect(await read(129)).toEqual(['unprovable', 128]);
});

test('many transactions without a listed memo cost a limited number of calls and prove nothing', async () => {
  const read = async (count: number) => {
    const calls: Call[] = [];
    const others = { ...otherMemos, getSignaturesForAddress: noMemo(count) };
    const { verdict } = await prove(others, calls);
    return [verdict, calls.filter(({ method }) => method === 'getTransaction').length];
  };
  expect(await read(128)).toEqual(['absent', 128]);
  expect(await read(129)).toEqual(['unprovable', 128]);
});
