/** Each condition of the proof that a transaction never landed, with an RPC of fixed responses. */
import { memoText, operationMessage, SYSTEM_PROGRAM, wireTransaction } from '@service/protocol';
import {
  type Address,
  address,
  createSolanaRpcFromTransport,
  type Rpc,
  type RpcTransport,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit';
import { expect, test } from 'vitest';
import type { OperationRow } from '../tables.ts';
import { proveAbsence } from './absence.ts';

const WALLET = address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');
const STRANGER = address('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR9');
const ID = '0b6f1c52-8f0e-4a55-9d0e-6f0e3a1f2b3c';
const SIGNATURE = '5'.repeat(88) as Signature;
const OTHER_SIGNATURE = '4'.repeat(88);
const MEMO = `[47] ${memoText(ID)}`;

const messageOf = (wallet: Address, seed = 1) =>
  operationMessage({
    wallet,
    operationId: ID,
    blockhash: STRANGER,
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

/** Responses that prove that the transaction never landed. */
const ABSENT = {
  getEpochInfo: {
    absoluteSlot: 1_200,
    blockHeight: 151,
    epoch: 0,
    slotIndex: 0,
    slotsInEpoch: 1,
    transactionCount: 1,
  },
  getSignatureStatuses: { context: { slot: 1_204 }, value: [null] as unknown[] },
  getSignaturesForAddress: [] as unknown[],
  getFirstAvailableBlock: 1_000,
  getTransaction: null as unknown,
};

function node(changes: Partial<typeof ABSENT>, asked: { method: string; params: unknown[] }[] = []) {
  const answers: Record<string, unknown> = { ...ABSENT, ...changes };
  const transport = async ({ payload }: { payload: unknown }) => {
    const { method, params, id } = payload as { method: string; params: unknown[]; id: unknown };
    asked.push({ method, params });
    return { jsonrpc: '2.0', id, result: answers[method] };
  };
  return createSolanaRpcFromTransport(transport as RpcTransport) as unknown as Rpc<SolanaRpcApi>;
}

const verdictOf = (changes: Partial<typeof ABSENT>) =>
  proveAbsence(node(changes), row, () => AbortSignal.timeout(5_000));

test('a node proves that the transaction never landed', async () => {
  expect(await verdictOf({})).toEqual({ verdict: 'absent' });
});

test('all calls are at finalized, search the whole history, and are not older than the height', async () => {
  const asked: { method: string; params: unknown[] }[] = [];
  await proveAbsence(node({}, asked), row, () => AbortSignal.timeout(5_000));
  // No commitment means finalized: kit leaves it out, because it is the default of every node.
  expect(asked.map(({ method, params }) => [method, params.at(-1)])).toEqual([
    ['getEpochInfo', undefined],
    ['getSignatureStatuses', { searchTransactionHistory: true }],
    ['getSignaturesForAddress', expect.objectContaining({ minContextSlot: 1_200n, limit: 1_000 })],
    ['getFirstAvailableBlock', undefined],
  ]);
  expect(asked[2]?.params.at(-1)).not.toHaveProperty('commitment');
});

const status = (confirmationStatus: string, err: unknown = null) => ({
  context: { slot: 1_204 },
  value: [{ slot: 1_010, confirmations: null, err, status: {}, confirmationStatus }],
});

test.each<[string, Partial<typeof ABSENT>, object]>([
  [
    'the finalized height is at the last valid one',
    { getEpochInfo: { ...ABSENT.getEpochInfo, blockHeight: 150 } },
    { verdict: 'possible' },
  ],
  ['it landed', { getSignatureStatuses: status('finalized') }, { verdict: 'landed', slot: 1_010n }],
  [
    'it landed and is not finalized',
    { getSignatureStatuses: status('confirmed') },
    { verdict: 'unprovable' },
  ],
  [
    'the status is from a slot before the height',
    { getSignatureStatuses: { context: { slot: 1_199 }, value: [null] } },
    { verdict: 'unprovable' },
  ],
  ['the node’s history starts after the draft', { getFirstAvailableBlock: 1_001 }, { verdict: 'unprovable' }],
  [
    'the same message landed under another signature',
    { getSignaturesForAddress: [entry()], getTransaction: transaction(row.message) },
    { verdict: 'landed', slot: 1_010n, err: null },
  ],
  [
    'the same message failed under another signature',
    {
      getSignaturesForAddress: [entry()],
      getTransaction: transaction(row.message, { InstructionError: [1, { Custom: 6_016 }] }),
    },
    { verdict: 'landed', slot: 1_010n, err: { InstructionError: expect.anything() } },
  ],
  [
    'the wallet signed another message with the memo',
    { getSignaturesForAddress: [entry()], getTransaction: transaction(messageOf(WALLET, 2)) },
    { verdict: 'unprovable' },
  ],
  [
    'a transaction with the memo cannot be read',
    { getSignaturesForAddress: [entry()], getTransaction: null },
    { verdict: 'unprovable' },
  ],
  [
    'another wallet copied the memo',
    { getSignaturesForAddress: [entry()], getTransaction: transaction(messageOf(STRANGER)) },
    { verdict: 'absent' },
  ],
  [
    'the wallet’s other transactions have other memos, or none',
    {
      getSignaturesForAddress: [entry({ memo: null }), entry({ memo: '[5] hello' })],
      getTransaction: transaction(messageOf(WALLET, 2)),
    },
    { verdict: 'absent' },
  ],
  [
    'the wallet has more transactions than are read',
    { getSignaturesForAddress: Array.from({ length: 1_000 }, () => entry({ memo: null })) },
    { verdict: 'unprovable' },
  ],
  [
    'a full page reaches back to before the draft',
    {
      getSignaturesForAddress: [
        ...Array.from({ length: 999 }, () => entry({ memo: null })),
        entry({ memo: null, slot: 999 }),
      ],
    },
    { verdict: 'absent' },
  ],
])('when %s', async (_when, changes, expected) => {
  expect(await verdictOf(changes)).toMatchObject(expected);
});

test('many copies of the memo by other wallets cost a limited number of calls and prove nothing', async () => {
  const copies = (count: number) => ({
    getSignaturesForAddress: Array.from({ length: count }, () => entry()),
    getTransaction: transaction(messageOf(STRANGER)),
  });
  const read = async (count: number) => {
    const asked: { method: string; params: unknown[] }[] = [];
    const { verdict } = await proveAbsence(node(copies(count), asked), row, () => AbortSignal.timeout(5_000));
    return [verdict, asked.filter(({ method }) => method === 'getTransaction').length];
  };
  expect(await read(32)).toEqual(['absent', 32]);
  expect(await read(33)).toEqual(['unprovable', 0]);
});
