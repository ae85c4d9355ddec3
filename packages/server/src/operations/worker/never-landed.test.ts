/** Operations that never landed, or whose outcome a node cannot prove, on a real chain. */

import { expect, test } from 'vitest';
import { resultOf, rpcAround } from '../../../test/support/rpc-around.ts';
import { newSignal } from '../../../test/support/signal.ts';
import { type Owned, testWorld } from '../../../test/support/test-world.ts';
import type { Service } from '../../service.ts';
import { startWorker } from './worker.ts';

const world = testWorld();

/** Returns an operation that was broadcast, or (`lost`) dropped by every node. */
async function submitted({ lost }: { lost: boolean }): Promise<Owned> {
  const operation = await world.queued();
  world.net.dropTransactions(lost);
  await world.created.tick();
  return operation;
}

/** Expects an operation in this state, or FAILED for this reason. */
async function expectState(operation: Owned, state: string, failure?: object): Promise<void> {
  expect(await world.operation(operation)).toMatchObject(failure ? { state, failure } : { state });
}
const NEVER_LANDED = { reason: 'NEVER_LANDED' };

/** Runs a step of a worker whose service has these RPCs. */
async function tickWith(rpcs: Partial<Pick<Service, 'rpc' | 'otherRpcs'>>): Promise<void> {
  const worker = startWorker({ ...world.created.service, ...rpcs });
  await worker.tick();
  await worker.stop();
}

/** Returns an RPC that knows no transaction and has no old block. */
function forgetful() {
  const { slot } = world.net;
  const responses: Record<string, unknown> = {
    getSignatureStatuses: { context: { slot }, value: [null] },
    getSignaturesForAddress: [],
    getFirstAvailableBlock: slot,
  };
  return rpcAround(world.net, (call, method) => (method in responses ? resultOf(responses[method]) : call()));
}

test('a lost operation is broadcast while it can land, and FAILED only after two proofs some seconds apart', async () => {
  const operation = await submitted({ lost: true });
  world.net.advanceSlots(154);
  await world.created.tick();
  // The last slot that it could land in is not finalized yet.
  await expectState(operation, 'SUBMITTED');
  world.net.advanceSlots(1);
  await world.created.tick();
  await expectState(operation, 'SUBMITTED');
  world.clock.ms += 4_999;
  await world.created.tick();
  await expectState(operation, 'SUBMITTED');
  expect((await world.draft(operation.visitor)).code).toBe('SIGNED_OPERATION_PENDING');
  world.clock.ms += 1_000;
  await world.created.tick();
  await expectState(operation, 'FAILED', NEVER_LANDED);
  expect(await world.operation(operation)).not.toHaveProperty('slot');
  await world.finalize();
  expect((await world.draft(operation.visitor)).status).toBe(200);
});

test('an operation that was not broadcast in time, because no worker ran, fails in the same way', async () => {
  const operation = await world.queued();
  world.net.advanceSlots(200);
  world.clock.ms += 80_000;
  for (const state of ['SUBMITTED', 'SUBMITTED', 'FAILED']) {
    await world.created.tick();
    await expectState(operation, state);
    world.clock.ms += 10_000;
  }
  await expectState(operation, 'FAILED', NEVER_LANDED);
});

test('both proofs must come from the same node', async () => {
  const operation = await submitted({ lost: true });
  world.net.advanceSlots(155);
  await tickWith({});
  world.clock.ms += 6_000;
  // The node that proved it is now the second one, so both proofs start again.
  const second = { rpc: forgetful(), otherRpcs: [world.rpc] };
  await tickWith(second);
  await expectState(operation, 'SUBMITTED');
  world.clock.ms += 6_000;
  await tickWith(second);
  await expectState(operation, 'FAILED', NEVER_LANDED);
});

test('an operation that its node lost is UNRESOLVED until another node knows the outcome', async () => {
  const operation = await submitted({ lost: false });
  world.net.advanceSlots(160);
  for (let step = 0; step < 3; step++) {
    await tickWith({ rpc: forgetful() });
    await expectState(operation, 'UNRESOLVED');
    world.clock.ms += 60_000;
  }
  await tickWith({ rpc: forgetful(), otherRpcs: [world.rpc] });
  const slot = expect.stringMatching(/^\d+$/);
  expect(await world.operation(operation)).toMatchObject({ state: 'FINALIZED', slot });
});

test('an UNRESOLVED operation is settled by its own node when that knows the outcome', async () => {
  const operation = await submitted({ lost: true });
  world.net.advanceSlots(160);
  await tickWith({ rpc: forgetful() });
  await expectState(operation, 'UNRESOLVED');
  for (let step = 0; step < 2; step++) {
    world.clock.ms += 60_000;
    await world.created.tick();
  }
  await expectState(operation, 'FAILED', NEVER_LANDED);
});

test('queued operations are broadcast before old ones are checked, a few at a time', async () => {
  const visitors = await Promise.all(Array.from({ length: 20 }, () => world.signedIn()));
  for (const visitor of visitors) await world.queued(visitor);
  world.net.dropTransactions(true);
  await world.created.tick();
  world.net.advanceSlots(155);
  await world.queued();

  const order: string[] = [];
  const [atOnce, eightRun] = [{ now: 0, most: 0 }, newSignal()];
  const countOf = (method: string) => order.filter((each) => each === method).length;
  // The node answers when eight checks run.
  const rpc = rpcAround(world.net, async (call, method) => {
    order.push(method);
    atOnce.now += 1;
    atOnce.most = Math.max(atOnce.most, atOnce.now);
    if (method === 'getEpochInfo') {
      if (countOf(method) === 8) setImmediate(eightRun.reach);
      await eightRun.reached;
    }
    return Promise.resolve(call()).finally(() => {
      atOnce.now -= 1;
    });
  });
  await tickWith({ rpc });
  expect(order[0]).toBe('sendTransaction');
  expect(countOf('sendTransaction')).toBe(1);
  expect(countOf('getEpochInfo')).toBe(20);
  expect(atOnce.most).toBe(8);
});
