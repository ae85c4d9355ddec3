/** Reads one transaction from nodes that differ. None may show as final what is not. */
import { memoInstruction, stillLocalnet } from '@service/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CURRENT, type NodeState, resultAt } from './alter.ts';
import { clusterView } from './cluster-view.ts';

const FINALITY_SLOTS = 4;
const net = stillLocalnet({ finalitySlots: FINALITY_SLOTS, genesisSlot: 1_000n });
const view = clusterView(net as never, FINALITY_SLOTS);
afterAll(() => net.stop());

let signature: string;
let address: string;
beforeAll(async () => {
  const wallet = await net.wallet();
  address = wallet.address;
  signature = await net.land([wallet], [memoInstruction('a memo')]);
});

const call = async (node: NodeState, method: string, params: readonly unknown[]) => {
  const { result } = net.handle({ jsonrpc: '2.0', id: 1, method, params }) as { result: unknown };
  const asJson = JSON.parse(
    JSON.stringify(result, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)),
  );
  return resultAt({ id: 1, method, params }, asJson, node, view);
};
const statusAt = async (node: NodeState) => {
  const { value } = (await call(node, 'getSignatureStatuses', [[signature]])) as {
    value: ({ confirmationStatus: string } | null)[];
  };
  return value[0]?.confirmationStatus ?? null;
};
const listedAt = async (node: NodeState) =>
  ((await call(node, 'getSignaturesForAddress', [address])) as unknown[]).length;

const LAGGING = { ...CURRENT, lag: 3n };
const PRUNED = { ...CURRENT, history: 5n };

test('a node that is behind learns of a transaction, and of its finality, later', async () => {
  net.advanceSlots(1);
  expect([await statusAt(CURRENT), await statusAt(LAGGING)]).toEqual(['confirmed', null]);
  net.advanceSlots(3);
  expect([await statusAt(CURRENT), await statusAt(LAGGING)]).toEqual(['finalized', 'confirmed']);
  expect(await listedAt(LAGGING)).toBe(1);
  net.advanceSlots(3);
  expect([await statusAt(CURRENT), await statusAt(LAGGING)]).toEqual(['finalized', 'finalized']);
  expect(await call(LAGGING, 'getSlot', [])).toBe(Number(await call(CURRENT, 'getSlot', [])) - 3);
});

test('a node without history does not know the transaction, and says where its history begins', async () => {
  net.advanceSlots(10);
  expect([await statusAt(CURRENT), await listedAt(CURRENT)]).toEqual(['finalized', 1]);
  expect([await statusAt(PRUNED), await listedAt(PRUNED)]).toEqual([null, 0]);
  expect(
    await call(PRUNED, 'getTransaction', [
      signature,
      { encoding: 'base64', maxSupportedTransactionVersion: 0 },
    ]),
  ).toBeNull();
  expect(await call(PRUNED, 'getFirstAvailableBlock', [])).toBe(Number(view.finalized) - 5);
  expect(await statusAt({ ...CURRENT, hasNoStatuses: true })).toBeNull();
});

test('a transaction on a fork is confirmed, then unknown, and never final', async () => {
  const wallet = await net.wallet();
  const { wire, signature: onFork } = await net.sign([wallet], [memoInstruction('on a fork')]);
  signature = onFork;
  view.fork(wire, { isGone: false });
  expect([await statusAt(CURRENT), view.ignores(wire)]).toEqual(['confirmed', true]);
  net.advanceSlots(FINALITY_SLOTS - 2);
  expect([await statusAt(CURRENT), view.ignores(wire)]).toEqual([null, false]);
});
