import { budgetInstructions, type ComputeBudget, readOperationInstructions } from '@service/protocol';
import { pause, transferSol, unpause } from '@service/server/test-service';
import { messageOf, withAdditions } from '@service/test-support';
import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { testWorld } from '../../test/support/test-world.ts';

const world = testWorld();

type Drafted = Awaited<ReturnType<typeof world.drafted>>;

/** Returns a draft's transaction (base64) with a compute budget added, as a wallet adds it. */
const withBudget = (
  { draft }: Pick<Drafted, 'draft'>,
  budget: Required<ComputeBudget> = { limit: 200_000, price: 1_000n },
) => withAdditions(draft.body.transaction, { before: budgetInstructions(budget) });

const adopt = ({ visitor, id }: Pick<Drafted, 'visitor' | 'id'>, transaction: string) =>
  visitor.post<{ state: string; transaction: string }>('/api/transactions/adopt', {
    operationId: id,
    message: messageOf(transaction),
  });

const MISMATCH = { status: 400, code: 'TRANSACTION_MISMATCH' };

test('the adopted message is the draft’s from then on, and it is sent, settled and indexed', async () => {
  const operation = await world.drafted();
  const { visitor, id, draft, rule } = operation;
  const changed = withBudget(operation);
  const adopted = await adopt(operation, changed);
  expect(adopted).toMatchObject({ status: 200, body: { state: 'DRAFT', transaction: changed } });
  // Rule 4 of the preparing endpoints: nothing but the draft's message is accepted.
  const prepared = await visitor.signTransaction(draft.body.transaction);
  expect(await visitor.submit(id, prepared)).toMatchObject(MISMATCH);
  const queued = await visitor.submit(id, await visitor.signTransaction(changed));
  expect(queued).toMatchObject({ status: 200, body: { state: 'QUEUED' } });
  await world.settle();
  expect(await world.operation(operation)).toMatchObject({ state: 'FINALIZED', indexed: true });
  expect(await world.account('ruleSet', rule)).toBeTruthy();
  const row = await world.row(id);
  expect(readOperationInstructions(row!.adopted_message!)?.budget).toEqual({ limit: 200_000, price: 1_000n });
});

test('a draft adopts one message, once; the same one again returns the draft', async () => {
  const operation = await world.drafted();
  const first = withBudget(operation);
  const other = withBudget(operation, { limit: 200_000, price: 2_000n });
  const answers = await Promise.all([first, other, first, other].map((each) => adopt(operation, each)));
  const taken = answers.filter(({ status }) => status === 200);
  expect(taken).toHaveLength(2);
  expect(new Set(taken.map(({ body }) => body.transaction)).size).toBe(1);
  expect(answers.filter(({ code }) => code === 'TRANSACTION_MISMATCH')).toHaveLength(2);
  const winner = taken[0]!.body.transaction;
  expect((await adopt(operation, winner)).body).toMatchObject({ state: 'DRAFT', transaction: winner });
  await operation.visitor.submit(operation.id, await operation.visitor.signTransaction(winner));
  expect((await adopt(operation, winner)).body).toMatchObject({ state: 'QUEUED' });
  expect(await adopt(operation, winner === first ? other : first)).toMatchObject(MISMATCH);
});

describe('a message is rejected, and the draft keeps its own,', () => {
  test.each<[string, (operation: Drafted) => string | Promise<string>, RegExp]>([
    [
      'if its fee is above the cap of the service',
      (operation) => withBudget(operation, { limit: 1_000_000, price: 1_000_001n }),
      /1000001 lamports/,
    ],
    [
      'if it is of another operation',
      async ({ visitor }) => (await world.draft(visitor)).body.transaction,
      /changed what the transaction does|replaced the blockhash/,
    ],
    ['if its bytes are not a message', () => Buffer.alloc(70).toString('base64'), /cannot replace/],
  ])('%s', async (_name, change, words) => {
    const operation = await world.drafted();
    const refused = await adopt(operation, await change(operation));
    expect(refused).toMatchObject(MISMATCH);
    expect(refused.message).toMatch(words);
    expect((await world.row(operation.id))!.adopted_message).toBeNull();
    expect(await operation.submit()).toMatchObject({ status: 200, body: { state: 'QUEUED' } });
  });

  test('if its wallet is another one, or the operation does not exist', async () => {
    const [operation, visitor] = [await world.drafted(), await world.signedIn()];
    const changed = withBudget(operation);
    expect(await adopt({ ...operation, visitor }, changed)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    const id = '00000000-0000-4000-8000-000000000000';
    expect(await adopt({ visitor, id }, changed)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test('after 90 seconds', async () => {
    const operation = await world.drafted();
    world.clock.ms += 90_000;
    const expired = { status: 409, code: 'DRAFT_EXPIRED' };
    expect(await adopt(operation, withBudget(operation))).toMatchObject(expired);
    expect(await adopt(operation, withBudget(operation))).toMatchObject(expired);
  });

  test('while the wallet has another signed operation', async () => {
    const operation = await world.drafted();
    const other = await world.drafted(operation.visitor);
    await other.submit();
    const pending = { status: 409, code: 'SIGNED_OPERATION_PENDING' };
    expect(await adopt(operation, withBudget(operation))).toMatchObject(pending);
  });

  test('while the protocol is paused', async () => {
    const operation = await world.drafted();
    await pause(world);
    const paused = await adopt(operation, withBudget(operation));
    await unpause(world);
    expect(paused).toMatchObject({ status: 503, code: 'PROTOCOL_PAUSED' });
  });

  test('if the wallet cannot pay its fee', async () => {
    const operation = await world.drafted();
    const { signer } = operation.visitor;
    const { value } = await world.rpc.getBalance(signer.address, { commitment: 'confirmed' }).send();
    const { address: destination } = await generateKeyPairSigner();
    await transferSol(world, signer, { destination, lamports: value - 5_000n });
    world.net.airdrop(signer.address, 5_199n);
    const refused = await adopt(operation, withBudget(operation));
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    expect(refused.message).toContain('needs 896080: 5200 for fees');
    world.net.airdrop(signer.address, 1n);
    expect(await adopt(operation, withBudget(operation))).toMatchObject({ status: 200 });
  });
});

test('the database rejects a second message, and a message of a signed operation', async () => {
  const [adopted, signed] = [await world.drafted(), await world.queued()];
  await adopt(adopted, withBudget(adopted));
  const update = (id: string) =>
    world.database.db
      .updateTable('operation')
      .set({ adopted_message: new Uint8Array([1]) })
      .where('id', '=', id)
      .execute();
  for (const id of [adopted.id, signed.id]) {
    await expect(update(id)).rejects.toThrow('only a draft adopts a message, once');
  }
});
