import { afterAll, beforeAll, expect, test } from 'vitest';
import { ruleSetBody } from '../../test/visitor.ts';
import { startWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test('an operation goes from draft to finalized and indexed', async () => {
  const visitor = await (await world.visitor()).signIn();
  const prepared = await visitor.prepare('/api/rules', ruleSetBody());
  expect(prepared).toMatchObject({ status: 200, body: { state: 'DRAFT', kind: 'CREATE_RULE_SET' } });
  const queued = await visitor.signAndSubmit(prepared);
  expect(queued.body.state).toBe('QUEUED');
  await world.created.tick();
  expect((await visitor.operation(prepared.body.operationId)).body.state).toBe('SUBMITTED');
  await world.finalize();
  expect((await visitor.operation(prepared.body.operationId)).body).toMatchObject({
    state: 'FINALIZED',
    indexed: true,
  });
});
