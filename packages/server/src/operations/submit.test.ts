import { ORIGIN, pause, transferSol, unpause, Visitor } from '@service/server/test-service';
import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { type Owned, testWorld } from '../../test/support/test-world.ts';

const world = testWorld();

const expectState = async (operation: Owned, state: string) =>
  expect(await world.operation(operation)).toMatchObject({ state });
const EXPIRED = { status: 409, code: 'DRAFT_EXPIRED' };
const QUEUED = { status: 200, body: { state: 'QUEUED' } };

test('the signed bytes are saved before the response, and the state is QUEUED', async () => {
  const { visitor, id, draft } = await world.drafted();
  const transaction = await visitor.signTransaction(draft.body.transaction);
  const queued = await visitor.submit(id, transaction);
  expect(queued).toMatchObject({ status: 200, body: { state: 'QUEUED', operationId: id } });
  expect(queued.body).not.toHaveProperty('transaction');
  const row = await world.row(id);
  expect(row).toMatchObject({ state: 'QUEUED', signature: queued.body.signature });
  expect(Buffer.compare(row!.message, Buffer.from(transaction, 'base64').subarray(65))).toBe(0);
});

describe('anything but the prepared message with the wallet’s signature is TRANSACTION_MISMATCH', () => {
  const forgeries: Record<string, (bytes: Buffer, visitor: Visitor) => Promise<Buffer> | Buffer> = {
    unsigned: (bytes) => bytes.fill(0, 1, 65),
    'a byte of the signature changed': (bytes) => flip(bytes, 20),
    'a byte of the blockhash changed': (bytes) => flip(bytes, bytes.length - 300),
    'the last byte changed': (bytes) => flip(bytes, bytes.length - 1),
    'a byte more': (bytes) => Buffer.concat([bytes, Buffer.from([0])]),
    'a byte less': (bytes) => bytes.subarray(0, -1),
    'a second signature': (bytes) =>
      Buffer.concat([Buffer.from([2]), bytes.subarray(1, 65), bytes.subarray(1, 65), bytes.subarray(65)]),
    nothing: () => Buffer.alloc(0),
    'signed by another wallet': async (bytes, { app, origin }) => {
      const other = new Visitor(app, await generateKeyPairSigner(), origin);
      return Buffer.from(await other.signTransaction(bytes.toString('base64')), 'base64');
    },
    'another message, signed by the wallet': async (bytes, visitor) =>
      Buffer.from(await visitor.signTransaction(flip(bytes, bytes.length - 1).toString('base64')), 'base64'),
    'another operation of the wallet': async (_bytes, visitor) => {
      const other = await world.draft(visitor);
      return Buffer.from(await visitor.signTransaction(other.body.transaction), 'base64');
    },
  };
  test.each(Object.entries(forgeries))('%s', async (_name, forge) => {
    const operation = await world.drafted();
    const { visitor, id, draft } = operation;
    const signed = await visitor.signTransaction(draft.body.transaction);
    const forged = await forge(Buffer.from(signed, 'base64'), visitor);
    const refused = await visitor.submit(id, forged.toString('base64'));
    expect(refused).toMatchObject({ status: 400, code: 'TRANSACTION_MISMATCH' });
    await expectState(operation, 'DRAFT');
    // The draft is still valid.
    expect(await visitor.submit(id, signed)).toMatchObject(QUEUED);
  });
});

describe('a draft', () => {
  test('can be submitted until just before 90 seconds, not at 90', async () => {
    const [early, late] = [await world.drafted(), await world.drafted()];
    world.clock.ms += 89_999;
    expect(await early.submit()).toMatchObject(QUEUED);
    world.clock.ms += 1;
    expect(await late.submit()).toMatchObject(EXPIRED);
    await expectState(late, 'EXPIRED');
    expect(await late.submit()).toMatchObject(EXPIRED);
    // An operation that was signed in time does not expire.
    await expectState(early, 'QUEUED');
  });

  test('can be submitted until the last block of its blockhash, not later', async () => {
    const [early, late] = [await world.drafted(), await world.drafted()];
    world.net.advanceSlots(150);
    expect(await early.submit()).toMatchObject(QUEUED);
    world.net.advanceSlots(1);
    expect(await late.submit()).toMatchObject(EXPIRED);
    await expectState(late, 'EXPIRED');
  });

  test('of another wallet is NOT_FOUND', async () => {
    const [{ visitor, id, draft }, other] = [await world.drafted(), await world.signedIn()];
    const transaction = await visitor.signTransaction(draft.body.transaction);
    expect(await other.submit(id, transaction)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test('is rejected while the protocol is paused or the RPC does not respond', async () => {
    const { submit } = await world.drafted();
    await pause(world);
    expect(await submit()).toMatchObject({ status: 503, code: 'PROTOCOL_PAUSED' });
    await unpause(world);
    world.net.pause();
    expect(await submit()).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    world.net.resume();
    expect(await submit()).toMatchObject(QUEUED);
  });
});

test('a repeated submission returns the operation in its current state, in every state', async () => {
  const { submit } = await world.drafted();
  const again = async () => (await submit()).body.state;
  expect(await Promise.all([again(), again()])).toEqual(['QUEUED', 'QUEUED']);
  await world.created.tick();
  expect(await again()).toBe('SUBMITTED');
  await world.finalize();
  expect(await again()).toBe('FINALIZED');
  world.clock.ms += 200_000;
  expect(await again()).toBe('FINALIZED');
});

describe('a wallet without SOL for the network fee', () => {
  test.each([0n, 4_999n])('and %s lamports is rejected, and the draft stays valid', async (lamports) => {
    const signer = await generateKeyPairSigner();
    const visitor = await new Visitor(world.created.app, signer, ORIGIN).signIn();
    world.net.airdrop(visitor.address, 10_000_000_000n);
    const operation = await world.drafted(visitor);
    const { address: destination } = await generateKeyPairSigner();
    await transferSol(world, signer, { destination, lamports: 10_000_000_000n - 5_000n });
    if (lamports > 0n) world.net.airdrop(visitor.address, lamports);
    const refused = await operation.submit();
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    expect(refused.message).toContain(`lamports to ${visitor.address}. Then prepare again.`);
    // The wallet has no pending operation, and the same draft is accepted when it has the fee.
    await expectState(operation, 'DRAFT');
    world.net.airdrop(visitor.address, 5_000n - lamports);
    expect(await operation.submit()).toMatchObject(QUEUED);
  });
});

describe('one signed operation per wallet', () => {
  test('a second draft is rejected until the first is final', async () => {
    const first = await world.drafted();
    const second = await world.drafted(first.visitor);
    await first.submit();
    const refused = await second.submit();
    expect(refused).toMatchObject({ status: 409, code: 'SIGNED_OPERATION_PENDING' });
    expect(refused.message).toContain(first.id);
    await world.created.tick();
    expect((await second.submit()).code).toBe('SIGNED_OPERATION_PENDING');
    await world.finalize();
    expect(await second.submit()).toMatchObject(QUEUED);
  });
});

test('neither signatures nor transactions are logged', async () => {
  const { visitor, id, draft } = await world.drafted();
  const transaction = await visitor.signTransaction(draft.body.transaction);
  const { body } = await visitor.submit(id, transaction);
  await visitor.submit(id, 'AAAA');
  await world.created.tick();
  const log = world.logged.join('\n');
  expect(log).toContain(id);
  for (const secret of [transaction, draft.body.transaction, body.signature, visitor.cookie ?? 'no cookie']) {
    expect(log).not.toContain(secret);
  }
});

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
