/** Simultaneous requests: all pass their checks before one writes. With PostgreSQL they use connections of two processes. */
import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type OperationJson,
  ruleSetBody,
  startWorld,
  Visitor,
  type World,
} from '@service/test-support/service';
import type { Rpc, SolanaRpcApi } from '@solana/kit';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CreatedService } from '../create-service.ts';
import { startWorker } from './worker/worker.ts';

let world: World;
let services: CreatedService[];
type Method = keyof Rpc<SolanaRpcApi>;
/** A barrier for requests after one RPC method. */
interface Meeting {
  readonly method: Method;
  arrive(): Promise<void>;
}
let meeting: Meeting | null = null;

beforeAll(async () => {
  world = await startWorld();
  const rpc = new Proxy(world.rpc, {
    get: (target, method: Method) => {
      const call = target[method] as (...args: unknown[]) => { send(options?: object): Promise<unknown> };
      return (...args: unknown[]) => ({
        send: async (options?: object) => {
          const answer = await call(...args).send(options);
          if (meeting?.method === method) await meeting.arrive();
          return answer;
        },
      });
    },
  });
  services = [
    await world.another({ rpc, database: await world.database.another() }),
    await world.another({ rpc, database: await world.database.another() }),
  ];
});
beforeEach(() => {
  meeting = null;
});
afterAll(() => world.close());

/** Makes a number of requests wait for each other. */
function meetingOf(size: number, method: Method): Meeting {
  let missing = size;
  let begin = () => {};
  const all = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    method,
    arrive() {
      missing -= 1;
      if (missing === 0) begin();
      return all;
    },
  };
}

/** The last RPC calls before a draft and before a signature are written. */
const BEFORE_DRAFT = 'getLatestBlockhash';
const BEFORE_QUEUED = 'getBalance';

/** One signed-in wallet at both services. */
async function atBoth(): Promise<[Visitor, Visitor]> {
  const visitor = await (await world.visitor(services[0])).signIn();
  const twin = new Visitor(services[1]!.app, visitor.signer, visitor.origin);
  twin.cookie = visitor.cookie;
  return [visitor, twin];
}

const rowsOf = (wallet: string) =>
  world.database.db
    .selectFrom('operation')
    .select(['id', 'state'])
    .where('wallet', '=', wallet as never)
    .execute();

describe('the same idempotency key', () => {
  test('with the same body returns one operation to all simultaneous requests', async () => {
    const [visitor, twin] = await atBoth();
    const [body, key] = [ruleSetBody(), randomUUID()];
    meeting = meetingOf(4, BEFORE_DRAFT);
    const answers = await Promise.all(
      [visitor, twin, visitor, twin].map((each) => each.prepare('/api/rules', body, key)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(await rowsOf(visitor.address)).toEqual([{ id: answers[0]!.body.operationId, state: 'DRAFT' }]);
  });

  test('with different bodies is a conflict for all requests but one', async () => {
    const [visitor, twin] = await atBoth();
    const key = randomUUID();
    meeting = meetingOf(2, BEFORE_DRAFT);
    const answers = await Promise.all(
      [visitor, twin].map((each) => each.prepare('/api/rules', ruleSetBody(), key)),
    );
    expect(answers.map(({ code, body }) => code ?? body.state).sort()).toEqual([
      'DRAFT',
      'IDEMPOTENCY_CONFLICT',
    ]);
    expect(await rowsOf(visitor.address)).toHaveLength(1);
  });
});

describe('submissions', () => {
  test('of the same bytes at once all return QUEUED, for one operation', async () => {
    const [visitor, twin] = await atBoth();
    const draft = await visitor.prepare('/api/rules', ruleSetBody());
    meeting = meetingOf(4, BEFORE_QUEUED);
    const answers = await Promise.all(
      [visitor, twin, visitor, twin].map((each) => each.signAndSubmit(draft)),
    );
    expect(answers.map(({ code, body }) => code ?? body.state)).toEqual(Array(4).fill('QUEUED'));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  });

  // With PGlite a statement keeps the only connection until its result is read.
  test.runIf(process.env.TEST_DATABASE_URL)(
    'of the same bytes are answered QUEUED, also when the first comes between two reads of the second',
    async () => {
      const [visitor] = await atBoth();
      const draft = await visitor.prepare('/api/rules', ruleSetBody());
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
      const { app } = await world.another({
        database: { ...database, db: database.db.withPlugin(plugin) },
      });
      const twin = new Visitor(app, visitor.signer, visitor.origin);
      twin.cookie = visitor.cookie;
      expect((await twin.signAndSubmit(draft)).body).toEqual((await first)?.body);
      expect((await first)?.body.state).toBe('QUEUED');
    },
  );

  test('of several drafts of a wallet at once queue one of them', async () => {
    const [visitor, twin] = await atBoth();
    const all = [visitor, twin, visitor, twin];
    const drafts = await Promise.all(all.map((each) => each.prepare('/api/rules', ruleSetBody())));
    meeting = meetingOf(4, BEFORE_QUEUED);
    const answers = await Promise.all(all.map((each, index) => each.signAndSubmit(drafts[index]!)));
    const pending = Array(3).fill('SIGNED_OPERATION_PENDING');
    expect(answers.map(({ code, body }) => code ?? body.state).sort()).toEqual(['QUEUED', ...pending]);
    expect((await rowsOf(visitor.address)).map(({ state }) => state).sort()).toEqual([
      ...Array(3).fill('DRAFT'),
      'QUEUED',
    ]);
  });

  test('that overlap with the end of the draft are DRAFT_EXPIRED', async () => {
    const [visitor] = await atBoth();
    const draft = await visitor.prepare('/api/rules', ruleSetBody());
    meeting = {
      method: BEFORE_QUEUED,
      async arrive() {
        world.clock.ms += 90_000;
        const worker = startWorker(world.created.service);
        await worker.tick();
        await worker.stop();
      },
    };
    expect(await visitor.signAndSubmit(draft)).toMatchObject({ status: 409, code: 'DRAFT_EXPIRED' });
    expect((await rowsOf(visitor.address)).map(({ state }) => state)).toEqual(['EXPIRED']);
  });
});

test('workers of two processes broadcast each operation once', async () => {
  const visitors = await Promise.all(Array.from({ length: 6 }, async () => (await world.visitor()).signIn()));
  const drafts = await Promise.all(visitors.map((each) => each.prepare('/api/rules', ruleSetBody())));
  await Promise.all(visitors.map((each, index) => each.signAndSubmit(drafts[index]!)));
  const sent: string[] = [];
  const workers = services.map(({ service }) => {
    const rpc = new Proxy(world.rpc, {
      get: (target, method: 'sendTransaction') =>
        method === 'sendTransaction'
          ? (wire: string, config: never) => {
              sent.push(wire);
              return target.sendTransaction(wire as never, config);
            }
          : target[method],
    });
    return startWorker({ ...service, rpc });
  });
  await Promise.all(workers.map((worker) => worker.tick()));
  const own = new Set(drafts.map(({ body }) => body.transaction.slice(-100)));
  const broadcast = sent.filter((wire) => own.has(wire.slice(-100)));
  expect(broadcast).toHaveLength(6);
  expect(new Set(broadcast).size).toBe(6);
  await Promise.all(workers.map((worker) => worker.stop()));
});
