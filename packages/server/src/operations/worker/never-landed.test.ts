/** Operations that never landed, or whose outcome a node cannot prove, on a real chain. */

import { ruleSetBody, startWorld, type Visitor, type World } from '@service/test-support/service';
import type { Rpc, SolanaRpcApi } from '@solana/kit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startWorker } from './worker.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.net.dropTransactions(false));
afterAll(() => world.close());

/** Returns an operation that was broadcast, or (`lost`) dropped by every node. */
async function submitted({ lost }: { lost: boolean }): Promise<{ visitor: Visitor; id: string }> {
  const visitor = await (await world.visitor()).signIn();
  const draft = await visitor.prepare('/api/rules', ruleSetBody());
  await visitor.signAndSubmit(draft);
  world.net.dropTransactions(lost);
  await world.created.tick();
  return { visitor, id: draft.body.operationId };
}

const bodyOf = async ({ visitor, id }: { visitor: Visitor; id: string }) =>
  (await visitor.operation(id)).body;

/** Returns the chain's RPC with some responses changed. */
function lying(answers: Partial<Record<keyof Rpc<SolanaRpcApi>, unknown>>): Rpc<SolanaRpcApi> {
  return new Proxy(world.rpc, {
    get: (target, method: keyof Rpc<SolanaRpcApi>) =>
      method in answers ? () => ({ send: async () => answers[method] }) : target[method],
  });
}

/** Returns an RPC that knows no transaction and has no old block. */
const forgetful = () =>
  lying({
    getSignatureStatuses: { context: { slot: world.net.slot }, value: [null] },
    getSignaturesForAddress: [],
    getFirstAvailableBlock: world.net.slot,
  });

test('a lost operation is broadcast while it can land, and FAILED only after two proofs some seconds apart', async () => {
  const operation = await submitted({ lost: true });
  world.net.advanceSlots(154);
  await world.created.tick();
  // The last slot that it could land in is not finalized yet.
  expect((await bodyOf(operation)).state).toBe('SUBMITTED');
  world.net.advanceSlots(1);
  await world.created.tick();
  expect((await bodyOf(operation)).state).toBe('SUBMITTED');
  world.clock.ms += 4_999;
  await world.created.tick();
  expect((await bodyOf(operation)).state).toBe('SUBMITTED');
  expect((await operation.visitor.prepare('/api/rules', ruleSetBody())).code).toBe(
    'SIGNED_OPERATION_PENDING',
  );
  world.clock.ms += 1_000;
  await world.created.tick();
  const failed = await bodyOf(operation);
  expect(failed).toMatchObject({ state: 'FAILED', failure: { reason: 'NEVER_LANDED' } });
  expect(failed).not.toHaveProperty('slot');
  await world.finalize();
  expect((await operation.visitor.prepare('/api/rules', ruleSetBody())).status).toBe(200);
});

test('an operation that was not broadcast in time, because no worker ran, fails in the same way', async () => {
  const visitor = await (await world.visitor()).signIn();
  const draft = await visitor.prepare('/api/rules', ruleSetBody());
  const id = (await visitor.signAndSubmit(draft)).body.operationId;
  world.net.advanceSlots(200);
  world.clock.ms += 80_000;
  const states: string[] = [];
  for (let look = 0; look < 3; look++) {
    await world.created.tick();
    states.push((await bodyOf({ visitor, id })).state);
    world.clock.ms += 10_000;
  }
  expect(states).toEqual(['SUBMITTED', 'SUBMITTED', 'FAILED']);
  expect((await bodyOf({ visitor, id })).failure).toMatchObject({ reason: 'NEVER_LANDED' });
});

test('both proofs must come from the same node', async () => {
  const operation = await submitted({ lost: true });
  world.net.advanceSlots(155);
  const { service } = await world.another();
  const [first, second] = [
    startWorker(service),
    startWorker({ ...service, rpc: forgetful(), otherRpcs: [service.rpc] }),
  ];
  await first.tick();
  world.clock.ms += 6_000;
  // The node that proved it is now the second one, so both proofs start again.
  await second.tick();
  expect((await bodyOf(operation)).state).toBe('SUBMITTED');
  world.clock.ms += 6_000;
  await second.tick();
  expect((await bodyOf(operation)).failure).toMatchObject({ reason: 'NEVER_LANDED' });
  await Promise.all([first.stop(), second.stop()]);
});

test('an operation that its node lost is UNRESOLVED until another node knows the outcome', async () => {
  const operation = await submitted({ lost: false });
  world.net.advanceSlots(160);
  const { service } = await world.another();
  const alone = startWorker({ ...service, rpc: forgetful() });
  for (let look = 0; look < 3; look++) {
    await alone.tick();
    expect((await bodyOf(operation)).state).toBe('UNRESOLVED');
    world.clock.ms += 60_000;
  }
  await alone.stop();
  const helped = startWorker({ ...service, rpc: forgetful(), otherRpcs: [world.rpc] });
  await helped.tick();
  expect(await bodyOf(operation)).toMatchObject({ state: 'FINALIZED', slot: expect.stringMatching(/^\d+$/) });
  await helped.stop();
});

test('an UNRESOLVED operation is settled by its own node when that knows the outcome', async () => {
  const operation = await submitted({ lost: true });
  world.net.advanceSlots(160);
  const { service } = await world.another();
  const blind = startWorker({ ...service, rpc: forgetful() });
  await blind.tick();
  expect((await bodyOf(operation)).state).toBe('UNRESOLVED');
  await blind.stop();
  for (let look = 0; look < 2; look++) {
    world.clock.ms += 60_000;
    await world.created.tick();
  }
  expect((await bodyOf(operation)).failure).toMatchObject({ reason: 'NEVER_LANDED' });
});

test('queued operations are broadcast before old ones are checked, a few at a time', async () => {
  const visitors = await Promise.all(
    Array.from({ length: 20 }, async () => (await world.visitor()).signIn()),
  );
  for (const visitor of visitors)
    await visitor.signAndSubmit(await visitor.prepare('/api/rules', ruleSetBody()));
  world.net.dropTransactions(true);
  await world.created.tick();
  world.net.advanceSlots(155);
  const late = await (await world.visitor()).signIn();
  await late.signAndSubmit(await late.prepare('/api/rules', ruleSetBody()));

  const { calls, rpc } = watched();
  const { service } = await world.another();
  const worker = startWorker({ ...service, rpc });
  await worker.tick();
  await worker.stop();
  expect(calls.order[0]).toBe('sendTransaction');
  expect(calls.order.filter((method) => method === 'sendTransaction')).toHaveLength(1);
  expect(calls.order.filter((method) => method === 'getEpochInfo')).toHaveLength(20);
  expect(calls.mostAtOnce).toBe(8);
});

/** Returns the chain's RPC, which records the order of calls and how many ran at once. It answers once eight checks run. */
function watched() {
  const calls = { order: [] as string[], atOnce: 0, mostAtOnce: 0 };
  let checks = 0;
  let answer = () => {};
  const eightRun = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const rpc = new Proxy(world.rpc, {
    get:
      (target, method: 'getEpochInfo') =>
      (...input: []) => ({
        async send(options: { abortSignal: AbortSignal }) {
          calls.order.push(method);
          calls.mostAtOnce = Math.max(calls.mostAtOnce, ++calls.atOnce);
          try {
            if (method === 'getEpochInfo') {
              if (++checks === 8) setImmediate(answer);
              await eightRun;
            }
            return await target[method](...input).send(options);
          } finally {
            calls.atOnce--;
          }
        },
      }),
  });
  return { calls, rpc };
}
