/** Tests adopted messages to their end, and the price that a request to prepare sets. */
import { randomUUID } from 'node:crypto';
import { addStandInGuardProgram } from '@service/localnet';
import { budgetInstructions, MEMO_PROGRAM, SYSTEM_PROGRAM } from '@service/protocol';
import { type Answer, type OperationJson, ruleSetBody, type Visitor } from '@service/server/test-service';
import { memoInstruction, messageOf, ownerGuard, withAdditions } from '@service/test-support';
import { AccountRole, generateKeyPairSigner, type Instruction } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { testWorld } from '../../test/support/test-world.ts';

const world = testWorld();
beforeAll(() => addStandInGuardProgram(world.net));

type Draft = Awaited<ReturnType<typeof world.drafted>>;

const budget = (price: bigint, limit = 60_000) => budgetInstructions({ limit, price });
/** 60,000 compute units at 100,000 micro-lamports. */
const PRIORITY_FEE = 6_000n;

/** Returns a draft as a wallet changes it: with a priority fee, and with a guard by default. */
function changed(
  { visitor, draft }: Draft,
  price = 100_000n,
  guards = [ownerGuard(visitor.address)],
): string {
  return withAdditions(draft.body.transaction, { before: budget(price), after: guards });
}

const adopt = (visitor: Visitor, operationId: string, transaction: string): Promise<Answer<OperationJson>> =>
  visitor.post('/api/transactions/adopt', { operationId, message: messageOf(transaction) });

/** Adopts a message that a wallet signed for a draft. */
async function adopted(of?: Draft, transaction?: string) {
  const draft = of ?? (await world.drafted());
  const own = transaction ?? changed(draft);
  expect(await adopt(draft.visitor, draft.id, own)).toMatchObject({ status: 200, body: { state: 'DRAFT' } });
  const submit = async () => draft.visitor.submit(draft.id, await draft.visitor.signTransaction(own));
  return { ...draft, own, submitOwn: submit };
}

const MISMATCH = { status: 400, code: 'TRANSACTION_MISMATCH' };
const QUEUED = { status: 200, body: { state: 'QUEUED' } };

describe('an adopted message', () => {
  test('is broadcast, finalized, paid and indexed', async () => {
    const { visitor, id, rule, submitOwn } = await adopted();
    const before = (await world.rpc.getBalance(visitor.address).send()).value;
    const { signature } = (await submitOwn()).body;
    await world.settle();
    expect(await world.operation({ visitor, id })).toMatchObject({
      state: 'FINALIZED',
      indexed: true,
      signature,
    });
    const account = await world.account('ruleSet', rule);
    const { value: after } = await world.rpc.getBalance(visitor.address).send();
    expect(before - after).toBe(5_000n + PRIORITY_FEE + account!.lamports);
    const { body } = await visitor.get<{ ruleSets: { address: string }[] }>('/api/rules');
    expect(JSON.stringify(body)).toContain(rule);
  });

  test('whose guard fails is FAILED, and the record names it', async () => {
    const draft = await world.drafted();
    const { visitor, id, submitOwn } = await adopted(
      draft,
      changed(draft, 100_000n, [ownerGuard(draft.visitor.address, false)]),
    );
    expect(await submitOwn()).toMatchObject(QUEUED);
    await world.settle();
    expect(await world.operation({ visitor, id })).toMatchObject({
      state: 'FAILED',
      failure: { reason: 'ON_CHAIN_ERROR', programError: { name: 'GUARD_FAILED' } },
    });
  });

  test('that never lands is FAILED once it cannot land any more', async () => {
    const { visitor, id, submitOwn } = await adopted();
    await submitOwn();
    world.net.dropTransactions(true);
    await world.created.tick();
    world.net.advanceSlots(400);
    for (let look = 0; look < 3; look += 1) {
      world.clock.ms += 60_000;
      await world.created.tick();
    }
    expect(await world.operation({ visitor, id })).toMatchObject({ failure: { reason: 'NEVER_LANDED' } });
  });

  test('can be sent again in every state, with the state as the answer', async () => {
    const { visitor, id, own, submitOwn, draft } = await adopted();
    const again = async () => (await adopt(visitor, id, own)).body;
    expect(await again()).toEqual({ ...draft.body, transaction: own });
    await submitOwn();
    expect((await again()).state).toBe('QUEUED');
    await world.created.tick();
    expect((await again()).state).toBe('SUBMITTED');
    await world.finalize();
    expect((await again()).state).toBe('FINALIZED');
  });

  test('is also what a retry of prepare returns, so that no page asks to sign the first one', async () => {
    const visitor = await world.signedIn();
    const [body, key] = [ruleSetBody(), randomUUID()];
    const draft = await visitor.prepare('/api/rules', body, key);
    const own = withAdditions(draft.body.transaction, { before: budget(1n) });
    await adopt(visitor, draft.body.operationId, own);
    const again = await visitor.prepare('/api/rules', body, key);
    expect(again.body).toEqual({ ...draft.body, transaction: own });
  });
});

const other = (await generateKeyPairSigner()).address;

describe('TRANSACTION_MISMATCH', () => {
  const writing: Instruction = {
    ...ownerGuard(other),
    accounts: [{ address: other, role: AccountRole.WRITABLE }],
  };
  const blockhash = { blockhash: MEMO_PROGRAM, lastValidBlockHeight: 0n };
  const refused: [string, Parameters<typeof withAdditions>[1], RegExp][] = [
    ['another blockhash', { changes: { lifetimeConstraint: blockhash } }, /replaced the blockhash/],
    ['a second memo', { after: [memoInstruction('more')] }, /more than guards/],
    [
      'another instruction',
      { after: [{ programAddress: SYSTEM_PROGRAM, data: new Uint8Array(4) }] },
      /more than guards/,
    ],
    ['another fee payer', { changes: { feePayer: { address: other } } }, /more than guards/],
    ['a guard that can write', { after: [writing] }, /may write to/],
    ['seven guards', { after: Array.from({ length: 7 }, () => ownerGuard(other)) }, /more than 6 guards/],
    ['a limit twice', { before: [budget(1n)[0]!, budget(1n)[0]!] }, /more than guards/],
    ['a price without a limit that pays as much', { before: [budget(714_286n)[1]!] }, /1000001 lamports/],
  ];

  test.each(refused)('%s', async (_name, additions, reason) => {
    const { visitor, id, draft, submit } = await world.drafted();
    const answer = await adopt(visitor, id, withAdditions(draft.body.transaction, additions));
    expect(answer).toMatchObject(MISMATCH);
    expect(answer.message).toMatch(reason);
    // The draft is as it was.
    expect(await submit()).toMatchObject(QUEUED);
  });

  test.each(['', 'AAAA'])('bytes that are not a message: "%s"', async (message) => {
    const { visitor, id } = await world.drafted();
    expect(await visitor.post('/api/transactions/adopt', { operationId: id, message })).toMatchObject(
      MISMATCH,
    );
  });

  test('the most that the service accepts is accepted', async () => {
    const draft = await world.drafted();
    const before = budget(1_000_000n, 1_000_000);
    await adopted(draft, withAdditions(draft.draft.body.transaction, { before }));
  });

  test('after the prepared message was submitted', async () => {
    const draft = await world.drafted();
    await draft.submit();
    expect(await adopt(draft.visitor, draft.id, changed(draft))).toMatchObject(MISMATCH);
  });
});

test('a draft whose blockhash has run out is DRAFT_EXPIRED, also if it had adopted a message', async () => {
  const expired = { status: 409, code: 'DRAFT_EXPIRED' };
  const [old, own] = [await world.drafted(), await adopted()];
  world.net.advanceSlots(151);
  expect(await adopt(old.visitor, old.id, changed(old))).toMatchObject(expired);
  expect(await own.submitOwn()).toMatchObject(expired);
});

test('a draft adopts nothing while the RPC does not respond', async () => {
  const draft = await world.drafted();
  world.net.pause();
  const refused = await adopt(draft.visitor, draft.id, changed(draft));
  expect(refused).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
  world.net.resume();
  await adopted(draft);
});

describe('computeUnitPrice', () => {
  const prepare = async (computeUnitPrice: unknown, visitor?: Visitor, key?: string) =>
    (visitor ?? (await world.signedIn())).prepare('/api/rules', { ...BODY, computeUnitPrice }, key);
  const BODY = ruleSetBody();

  test('is in the message with the limit of the kind, unless it is zero', async () => {
    const paying = await prepare('7');
    const free = await prepare('0');
    const { visitor: _, ...plain } = await world.drafted();
    const instructions = (answer: Answer<OperationJson>) =>
      Buffer.from(answer.body.transaction, 'base64').includes(Buffer.from(budget(7n)[1]!.data!));
    expect([paying, free, plain.draft].map(instructions)).toEqual([true, false, false]);
    expect(free.body.transaction).toHaveLength(plain.draft.body.transaction.length);
  });

  test('is capped by the lamports that it makes', async () => {
    // 60,000 compute units pay 1,000,000 lamports, and one more.
    expect(await prepare('16666666')).toMatchObject({ status: 200 });
    const refused = await prepare('16666667');
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    expect(refused.message).toMatch(
      /priority fee of 1000001 lamports\. This service accepts at most 1000000\./,
    );
    expect((await prepare('18446744073709551615')).code).toBe('INVALID_REQUEST');
  });

  test.each(['-1', '1.5', '', '18446744073709551616', 7, null])('%j is malformed', async (price) => {
    const refused = await prepare(price);
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    expect(refused.message).toContain('computeUnitPrice');
  });

  test('belongs to the body of an idempotency key', async () => {
    const [visitor, key] = [await world.signedIn(), randomUUID()];
    const first = await prepare('7', visitor, key);
    expect((await prepare('7', visitor, key)).body).toEqual(first.body);
    for (const price of ['8', undefined])
      expect(await prepare(price, visitor, key)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
  });
});
