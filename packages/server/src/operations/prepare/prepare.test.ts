import { randomUUID } from 'node:crypto';
import { programAddresses, splitWireTransaction } from '@service/protocol';
import { pause, ruleSetBody, unpause, type Visitor } from '@service/server/test-service';
import { generateKeyPairSigner, getCompiledTransactionMessageDecoder } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { type Owned, testWorld } from '../../../test/support/test-world.ts';

const world = testWorld();

const NOT_FOUND = { status: 404, code: 'NOT_FOUND' };
/** Expects that an operation has expired and returns no transaction. */
async function expectExpired(operation: Pick<Owned, 'visitor' | 'id'>): Promise<void> {
  const body = await world.operation(operation);
  expect(body.state).toBe('EXPIRED');
  expect(body).not.toHaveProperty('transaction');
}

describe('a prepared operation', () => {
  test('is a DRAFT with the memo, the action, and the rule set’s address', async () => {
    const visitor = await world.signedIn();
    const body = ruleSetBody();
    const prepared = await visitor.prepare('/api/rules', body);
    expect(prepared.status).toBe(200);
    const { operationId, transaction, rule, state, kind } = prepared.body;
    expect({ state, kind }).toEqual({ state: 'DRAFT', kind: 'CREATE_RULE_SET' });
    expect(rule).toBe(await programAddresses(world.program).ruleSet(visitor.address, BigInt(body.nonce)));

    const wire = splitWireTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
    expect(wire?.signature.every((byte) => byte === 0)).toBe(true);
    const message = getCompiledTransactionMessageDecoder().decode(wire?.message ?? new Uint8Array());
    expect(message.version).toBe(0);
    expect(message.staticAccounts[0]).toBe(visitor.address);
    if (!('instructions' in message)) throw new Error('no instructions');
    const called = message.instructions.map((each) => message.staticAccounts[each.programAddressIndex]);
    expect(called).toEqual(['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', world.program]);
    expect(Buffer.from(message.instructions[0]?.data ?? []).toString()).toBe(`service:v1:${operationId}`);
  });

  test('expires after 90 seconds by the service’s clock', async () => {
    const operation = await world.drafted();
    const createdAt = BigInt(Math.floor(world.clock.ms / 1000));
    const times = { createdAt: `${createdAt}`, expiresAt: `${createdAt + 90n}` };
    expect(operation.draft.body).toMatchObject(times);
    world.clock.ms += 89_999;
    expect(await world.operation(operation)).toMatchObject({ state: 'DRAFT' });
    world.clock.ms += 1;
    await expectExpired(operation);
  });

  test('expires with its blockhash, even if nobody reads it', async () => {
    const [read, unread] = [await world.drafted(), await world.drafted()];
    world.net.advanceSlots(150);
    expect(await world.operation(read)).toMatchObject({ state: 'DRAFT' });
    world.net.advanceSlots(1);
    await expectExpired(read);
    await world.created.tick();
    expect(await world.row(unread.id)).toMatchObject({ state: 'EXPIRED' });
  });

  test('is visible to its wallet only', async () => {
    const [{ id }, other] = [await world.drafted(), await world.signedIn()];
    for (const each of [id, randomUUID(), 'no-uuid']) {
      expect(await other.operation(each)).toMatchObject(NOT_FOUND);
    }
  });
});

describe('an idempotency key', () => {
  test('returns the same operation for the same body in any notation', async () => {
    const visitor = await world.signedIn();
    const body = ruleSetBody();
    const key = randomUUID();
    const first = await visitor.prepare('/api/rules', body, key);
    const { name, nonce, clauses } = body;
    const same = { maxPassAgeSeconds: 86_400, clauses, nonce, name };
    expect(await visitor.prepare('/api/rules', same, key)).toMatchObject({ status: 200, body: first.body });
    expect(await world.rowsOf(visitor.address)).toHaveLength(1);
  });

  test('is a conflict for another body, and for another endpoint', async () => {
    const visitor = await world.signedIn();
    const key = randomUUID();
    await visitor.prepare('/api/rules', ruleSetBody(), key);
    const conflict = { status: 409, code: 'IDEMPOTENCY_CONFLICT' };
    expect(await visitor.prepare('/api/rules', ruleSetBody(), key)).toMatchObject(conflict);
    const issue = { mint: visitor.address, destination: visitor.address, amount: '1' };
    expect(await visitor.prepare('/api/mints/issue', issue, key)).toMatchObject(conflict);
  });

  test('belongs to one wallet', async () => {
    const [visitor, other] = [await world.signedIn(), await world.signedIn()];
    const [body, key] = [ruleSetBody(), randomUUID()];
    const mine = await visitor.prepare('/api/rules', body, key);
    const theirs = await other.prepare('/api/rules', body, key);
    expect(theirs.status).toBe(200);
    expect(theirs.body.operationId).not.toBe(mine.body.operationId);
  });

  test('of an expired draft returns that draft, EXPIRED and without a transaction', async () => {
    const visitor = await world.signedIn();
    const [body, key] = [ruleSetBody(), randomUUID()];
    const { operationId } = (await visitor.prepare('/api/rules', body, key)).body;
    world.clock.ms += 91_000;
    const replay = await visitor.prepare('/api/rules', body, key);
    expect(replay).toMatchObject({ status: 200, body: { operationId, state: 'EXPIRED' } });
    expect(replay.body).not.toHaveProperty('transaction');
  });
});

describe('the checks run in order', () => {
  test('replay, pending, paused, index, resource', async () => {
    const visitor = await world.signedIn();
    const unused = (await generateKeyPairSigner()).address;
    const unbound = { mint: unused, destination: unused, amount: '1' };
    const key = randomUUID();
    const draft = await visitor.prepare('/api/rules', ruleSetBody(), key);
    expect((await visitor.signAndSubmit(draft)).body.state).toBe('QUEUED');
    await pause(world);
    // Finalized chain time is far ahead of the index, which does not run here.
    const before = world.net.time;
    world.net.setTime(before + 3_600);
    world.net.finalize();
    try {
      const refusalOf = async (by: Visitor, ownKey?: string) => {
        const { status, code } = await by.prepare('/api/mints/issue', unbound, ownKey);
        return { status, code };
      };
      expect(await refusalOf(visitor, key)).toEqual({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
      expect(await refusalOf(visitor)).toEqual({ status: 409, code: 'SIGNED_OPERATION_PENDING' });
      const other = await world.signedIn();
      expect(await refusalOf(other)).toEqual({ status: 503, code: 'PROTOCOL_PAUSED' });
      await unpause(world);
      expect(await refusalOf(other)).toEqual({ status: 503, code: 'INDEX_STALE' });
      await world.finalize();
      expect(await refusalOf(other)).toEqual({ status: 409, code: 'MINT_NOT_BOUND' });
    } finally {
      await world.finalize();
    }
    // The pending operation failed because of the pause, or succeeded. It is final, so the next one is allowed.
    expect((await world.draft(visitor)).status).toBe(200);
  });
});

test('a rule set that the program would reject is rejected before', async () => {
  const visitor = await world.signedIn();
  for (const maxPassAgeSeconds of ['3599', '31622401']) {
    const refused = await visitor.prepare('/api/rules', { ...ruleSetBody(), maxPassAgeSeconds });
    expect(refused).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('3600') });
  }
  const body = ruleSetBody();
  await world.finish(visitor, await visitor.prepare('/api/rules', body));
  const taken = await visitor.prepare('/api/rules', body);
  expect(taken).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('nonce') });
});
