/** Every transition, caused by requests and the worker only, and recorded by the database. */
import { OPERATION_TRANSITIONS } from '@service/contract';
import { ruleSetBody, type Visitor } from '@service/server/test-service';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { testWorld } from '../../test/support/test-world.ts';
import { startWorker } from './worker/worker.ts';

const world = testWorld();
beforeAll(async () => {
  await sql`create table seen (change text not null)`.execute(world.database.db);
  await sql`
    create function note() returns trigger language plpgsql as $$
    begin
      insert into seen values (concat(case when tg_op = 'UPDATE' then old.state end, ' > ', new.state));
      return null;
    end $$`.execute(world.database.db);
  await sql`
    create trigger note after insert or update of state on operation
    for each row execute function note()`.execute(world.database.db);
});

/** Prepares an operation, and notes the states in which requests find it. */
async function prepare(visitor: Visitor, body: object) {
  const draft = await visitor.prepare('/api/rules', body);
  return { visitor, draft, states: [draft.body.state] };
}
type Watched = Awaited<ReturnType<typeof prepare>>;
const submit = async ({ visitor, draft, states }: Watched) =>
  states.push((await visitor.signAndSubmit(draft)).body.state);
async function read(...all: Watched[]): Promise<void> {
  for (const { visitor, draft, states } of all)
    states.push((await visitor.operation(draft.body.operationId)).body.state);
}

test('every transition happens, and no other', async () => {
  const worker = startWorker(world.created.service);
  const settle = async (...all: Watched[]) => {
    await worker.tick();
    await read(...all);
    world.net.finalize();
    await worker.tick();
    await read(...all);
  };
  const [one, two] = [await world.signedIn(), await world.signedIn()];
  const body = ruleSetBody();
  const created = await prepare(one, body);
  // The address already exists when these land.
  const [failing, failingLater] = [await prepare(one, body), await prepare(one, body)];
  const [later, forgotten] = [await prepare(two, ruleSetBody()), await prepare(two, ruleSetBody())];

  await submit(created);
  await settle(created);
  await submit(failing);
  await settle(failing);

  await submit(later);
  await submit(failingLater);
  await worker.tick();
  await read(later, failingLater);
  world.net.pause('unreachable');
  world.clock.ms += 31_000;
  await worker.tick().catch(() => undefined);
  await read(later, failingLater);
  world.net.resume();
  world.net.finalize();
  world.clock.ms += 60_000;
  await worker.tick();
  await read(later, failingLater, forgotten);
  await worker.stop();

  const signed = ['DRAFT', 'QUEUED', 'SUBMITTED'];
  expect(created.states).toEqual([...signed, 'FINALIZED']);
  expect(failing.states).toEqual([...signed, 'FAILED']);
  expect(later.states).toEqual([...signed, 'UNRESOLVED', 'FINALIZED']);
  expect(failingLater.states).toEqual([...signed, 'UNRESOLVED', 'FAILED']);
  expect(forgotten.states).toEqual(['DRAFT', 'EXPIRED']);

  const { rows } = await sql<{ change: string }>`select distinct change from seen`.execute(world.database.db);
  const all = Object.entries(OPERATION_TRANSITIONS).flatMap(([from, tos]) =>
    tos.map((to) => `${from} > ${to}`),
  );
  expect(all).toHaveLength(8);
  expect(rows.map(({ change }) => change).sort()).toEqual([' > DRAFT', ...all].sort());
});
