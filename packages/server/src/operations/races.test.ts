/** Simultaneous requests: all pass their checks before one writes. With PostgreSQL they use connections of two processes. */
import { randomUUID } from 'node:crypto';
import { budgetInstructions } from '@service/protocol';
import { type Answer, type OperationJson, ruleSetBody, Visitor } from '@service/server/test-service';
import { messageOf, withAdditions } from '@service/test-support';
import type { KyselyPlugin } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rpcAround, rpcThatRecords } from '../../test/support/rpc-around.ts';
import { newSignal } from '../../test/support/signal.ts';
import { testWorld } from '../../test/support/test-world.ts';
import type { CreatedService } from '../create-service.ts';
import { startWorker } from './worker/worker.ts';

const world = testWorld();
let services: CreatedService[];
/** A barrier for requests after one RPC call of each. */
interface Meeting {
  isAt(method: string, params: readonly unknown[]): boolean;
  arrive(): Promise<void>;
}
let meeting: Meeting | null = null;

beforeAll(async () => {
  const rpc = rpcAround(world.net, async (call, method, params) => {
    const response = await call();
    if (meeting?.isAt(method, params)) await meeting.arrive();
    return response;
  });
  services = [
    await world.another({ rpc, database: await world.database.another() }),
    await world.another({ rpc, database: await world.database.another() }),
  ];
});
beforeEach(() => {
  meeting = null;
});

/** Makes a number of requests wait for each other. */
function meetingOf(size: number, isAt: Meeting['isAt']): Meeting {
  const all = newSignal();
  let missing = size;
  return {
    isAt,
    arrive() {
      missing -= 1;
      if (missing === 0) all.reach();
      return all.reached;
    },
  };
}

/** The last RPC call of each request before a draft, a message or a signature is written. It reads what the wallet has. */
const beforeWrite =
  ({ address }: Visitor): Meeting['isAt'] =>
  (method, [addresses]) =>
    method === 'getMultipleAccounts' && (addresses as string[])[0] === address;

/** Returns the same session at another service. */
function sessionAt({ app }: CreatedService, { signer, origin, cookie }: Visitor): Visitor {
  return Object.assign(new Visitor(app, signer, origin), { cookie });
}

/** Signs one wallet in at both services. */
async function atBoth(): Promise<[Visitor, Visitor]> {
  const visitor = await (await world.visitor(services[0])).signIn();
  return [visitor, sessionAt(services[1]!, visitor)];
}

const { rowsOf } = world;
const statesOf = async ({ address }: Visitor) => (await rowsOf(address)).map(({ state }) => state).sort();
/** Returns the error code or state of each response. */
const resultsOf = (answers: Answer<OperationJson>[]) => answers.map(({ code, body }) => code ?? body.state);
const bodiesOf = (answers: Answer<OperationJson>[]) =>
  new Set(answers.map(({ body }) => JSON.stringify(body)));

describe('the same idempotency key', () => {
  test('with the same body returns one operation to all simultaneous requests', async () => {
    const [visitor, other] = await atBoth();
    const [body, key] = [ruleSetBody(), randomUUID()];
    meeting = meetingOf(4, beforeWrite(visitor));
    const answers = await Promise.all(
      [visitor, other, visitor, other].map((each) => each.prepare('/api/rules', body, key)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(bodiesOf(answers).size).toBe(1);
    expect(await rowsOf(visitor.address)).toMatchObject([
      { id: answers[0]!.body.operationId, state: 'DRAFT' },
    ]);
  });

  test('with different bodies is a conflict for all requests but one', async () => {
    const [visitor, other] = await atBoth();
    const key = randomUUID();
    meeting = meetingOf(2, beforeWrite(visitor));
    const answers = await Promise.all(
      [visitor, other].map((each) => each.prepare('/api/rules', ruleSetBody(), key)),
    );
    expect(resultsOf(answers).sort()).toEqual(['DRAFT', 'IDEMPOTENCY_CONFLICT']);
    expect(await rowsOf(visitor.address)).toHaveLength(1);
  });
});

describe('submissions', () => {
  test('of the same bytes at once all return QUEUED, for one operation', async () => {
    const [visitor, other] = await atBoth();
    const draft = await world.draft(visitor);
    meeting = meetingOf(4, beforeWrite(visitor));
    const answers = await Promise.all(
      [visitor, other, visitor, other].map((each) => each.signAndSubmit(draft)),
    );
    expect(resultsOf(answers)).toEqual(Array(4).fill('QUEUED'));
    expect(bodiesOf(answers).size).toBe(1);
  });

  // With PGlite a statement keeps the only connection until its result is read.
  test.runIf(process.env.TEST_DATABASE_URL)(
    'of the same bytes are answered QUEUED, also when the first comes between two reads of the second',
    async () => {
      const [visitor] = await atBoth();
      const draft = await world.draft(visitor);
      let first: Promise<Answer<OperationJson>> | undefined;
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (result.rows.some(({ state }) => state === 'DRAFT')) {
            first ??= visitor.signAndSubmit(draft);
            await first;
          }
          return result;
        },
      };
      const { database } = world;
      const other = sessionAt(
        await world.another({ database: { ...database, db: database.db.withPlugin(plugin) } }),
        visitor,
      );
      expect((await other.signAndSubmit(draft)).body).toEqual((await first)?.body);
      expect((await first)?.body.state).toBe('QUEUED');
    },
  );

  test('of several drafts of a wallet at once queue one of them', async () => {
    const [visitor, other] = await atBoth();
    const all = [visitor, other, visitor, other];
    const drafts = await Promise.all(all.map((each) => world.draft(each)));
    meeting = meetingOf(4, beforeWrite(visitor));
    const answers = await Promise.all(all.map((each, index) => each.signAndSubmit(drafts[index]!)));
    const pending = Array(3).fill('SIGNED_OPERATION_PENDING');
    expect(resultsOf(answers).sort()).toEqual(['QUEUED', ...pending]);
    expect(await statesOf(visitor)).toEqual([...Array(3).fill('DRAFT'), 'QUEUED']);
  });

  test('that overlap with the end of the draft are DRAFT_EXPIRED', async () => {
    const [visitor] = await atBoth();
    const draft = await world.draft(visitor);
    meeting = {
      isAt: beforeWrite(visitor),
      async arrive() {
        world.clock.ms += 90_000;
        const worker = startWorker(world.created.service);
        await worker.tick();
        await worker.stop();
      },
    };
    expect(await visitor.signAndSubmit(draft)).toMatchObject({ status: 409, code: 'DRAFT_EXPIRED' });
    expect(await statesOf(visitor)).toEqual(['EXPIRED']);
  });
});

test('of several messages at once, one is adopted', async () => {
  const [visitor, other] = await atBoth();
  const { operationId, transaction } = (await world.draft(visitor)).body;
  const message = (price: bigint) =>
    messageOf(withAdditions(transaction, { before: budgetInstructions({ limit: 60_000, price }) }));
  const messages = [1n, 1n, 2n, 2n].map(message);
  meeting = meetingOf(4, beforeWrite(visitor));
  const answers = await Promise.all(
    [visitor, other, visitor, other].map((each, index) =>
      each.post<OperationJson>('/api/transactions/adopt', { operationId, message: messages[index] }),
    ),
  );
  const row = await world.row(operationId);
  const taken = Buffer.from(row!.adopted_message!).toString('base64');
  expect(resultsOf(answers)).toEqual(
    messages.map((each) => (each === taken ? 'DRAFT' : 'TRANSACTION_MISMATCH')),
  );
});

test('a submission that an adoption overtakes is refused, because its signature is over another message', async () => {
  const [visitor, other] = await atBoth();
  const { operationId, transaction } = (await world.draft(visitor)).body;
  const changed = withAdditions(transaction, { before: budgetInstructions({ limit: 60_000, price: 1n }) });
  const [checked, adopted] = [newSignal(), newSignal()];
  let isFirst = true;
  meeting = {
    isAt: beforeWrite(visitor),
    async arrive() {
      if (!isFirst) return;
      isFirst = false;
      checked.reach();
      await adopted.reached;
    },
  };
  const submitting = visitor.submit(operationId, await visitor.signTransaction(transaction));
  await checked.reached;
  const adoption = await other.post('/api/transactions/adopt', { operationId, message: messageOf(changed) });
  expect(adoption).toMatchObject({ status: 200 });
  adopted.reach();
  expect(await submitting).toMatchObject({ status: 400, code: 'TRANSACTION_MISMATCH' });
  expect((await world.row(operationId))!.state).toBe('DRAFT');
  const queued = await visitor.submit(operationId, await visitor.signTransaction(changed));
  expect(queued).toMatchObject({ status: 200, body: { state: 'QUEUED' } });
});

test('workers of two processes broadcast each operation once', async () => {
  // Nothing of other tests is queued any more.
  await world.settle();
  await Promise.all(Array.from({ length: 6 }, () => world.queued()));
  const sent: string[] = [];
  const rpc = rpcThatRecords(world.net, sent);
  const workers = services.map(({ service }) => startWorker({ ...service, rpc }));
  await Promise.all(workers.map((worker) => worker.tick()));
  expect(sent).toHaveLength(6);
  expect(new Set(sent).size).toBe(6);
  await Promise.all(workers.map((worker) => worker.stop()));
});
