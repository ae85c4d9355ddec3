/**
 * Crashes a process at each of its database and RPC calls, one after the other, until a run ends without a crash. Another
 * process continues. What was acknowledged must then be final, once, as the chain has it.
 */
import { randomUUID } from 'node:crypto';
import { memoText, programAddresses } from '@service/protocol';
import { ruleSetBody, Visitor } from '@service/server/test-service';
import { beforeAll, describe, expect, test } from 'vitest';
import { startIndexer } from '../../src/chain-index/indexer.ts';
import { readSlice } from '../../src/chain-index/reading.ts';
import { ALL } from '../../src/chain-index/slices.ts';
import type { CreatedService } from '../../src/create-service.ts';
import { LEASE_MS } from '../../src/database/lease.ts';
import { startWorker } from '../../src/operations/worker/worker.ts';
import { startCredentialIssuer } from '../../src/verification/issuing/issuer.ts';
import { crashingProcess } from '../support/crash-injection.ts';
import { type Owned, testWorld } from '../support/test-world.ts';
import { completedData, deliver } from '../support/verification/deliveries.ts';
import { addSession } from '../support/verification/sessions.ts';

const world = testWorld();
/** The process that continues after each crash. */
let next: CreatedService;
beforeAll(async () => {
  next = await world.another();
});

/** A process that is about to crash. */
type CrashingProcess = Awaited<ReturnType<typeof startCrashingProcess>>;

async function startCrashingProcess() {
  // The call takes effect and its response is lost. A crash right before the next call leaves the same.
  const process = crashingProcess(world, { afterwards: true });
  const created = await world.another({ database: process.database, rpc: process.rpc });
  return {
    created,
    process,
    /** Returns the same session at this process. */
    at: ({ signer, origin, cookie }: Visitor) =>
      Object.assign(new Visitor(created.app, signer, origin), { cookie }),
  };
}

/**
 * Plays a scene with a crash at call 0, 1, 2 and so on, until it ends without a crash.
 *
 * @param scene runs until the process has crashed or has done its work. It returns the checks, which run when the lease of the
 * crashed process has ended.
 * @returns the number of crashes
 */
async function crashAtEveryCall(
  scene: (crashing: CrashingProcess, startCountdown: () => void) => Promise<() => Promise<void>>,
): Promise<number> {
  for (let calls = 0; ; calls += 1) {
    const crashing = await startCrashingProcess();
    const check = await scene(crashing, () => crashing.process.crashAfter(calls));
    if (crashing.process.hasCrashed) world.clock.ms += LEASE_MS;
    try {
      await check();
    } catch (cause) {
      throw new Error(`The checks failed after a crash at call ${calls}.`, { cause });
    }
    if (!crashing.process.hasCrashed) return calls;
  }
}

/** Runs background work of a process, which may have crashed. */
const step = (work: { tick(): Promise<void> }) => work.tick().catch(() => undefined);

/** Lets the next process do everything that is left. */
async function continueWithNext(): Promise<void> {
  for (const _ of ['broadcast', 'settle']) {
    await next.tick();
    world.net.finalize();
    world.clock.ms += 2_000;
  }
  await next.tick();
}

/** Returns the finalized transactions with the memo of an operation. */
async function landedOf({ visitor, id }: Pick<Owned, 'visitor' | 'id'>) {
  const all = await world.rpc.getSignaturesForAddress(visitor.address, { commitment: 'finalized' }).send();
  return all.filter(({ memo }) => memo?.includes(memoText(id)));
}

/** Checks that an operation succeeded, and landed once. */
async function expectFinalizedOnce(operation: Pick<Owned, 'visitor' | 'id'>): Promise<void> {
  const landed = await landedOf(operation);
  expect(landed.map(({ err }) => err)).toEqual([null]);
  const { signature, slot } = landed[0]!;
  expect(await world.operation(operation)).toMatchObject({
    state: 'FINALIZED',
    indexed: true,
    signature,
    slot: `${slot}`,
  });
}

// One process runs at a time, so PostgreSQL shows nothing more. The campaigns crash replicas on PostgreSQL.
describe.skipIf(process.env.TEST_DATABASE_URL)('a crash right after a call', () => {
  test('of prepare and submit: the same requests succeed later, and queue one operation', async () => {
    const visitor = await world.signedIn();
    const ids: string[] = [];
    const crashes = await crashAtEveryCall(async (crashing, startCountdown) => {
      const [body, key] = [ruleSetBody(), randomUUID()];
      startCountdown();
      const first = await crashing.at(visitor).prepare('/api/rules', body, key);
      if (first.status === 200) await crashing.at(visitor).signAndSubmit(first);
      return async () => {
        const again = await visitor.prepare('/api/rules', body, key);
        const { operationId: id } = again.body;
        ids.push(id);
        // The client still has the draft that it signed. A queued operation is returned without its transaction.
        if (first.status === 200) expect(id).toBe(first.body.operationId);
        const submitted = await visitor.signAndSubmit(first.status === 200 ? first : again);
        expect(submitted).toMatchObject({ status: 200, body: { state: 'QUEUED' } });
        await continueWithNext();
        await expectFinalizedOnce({ visitor, id });
        expect((await world.rowsOf(visitor.address)).map((row) => row.id).sort()).toEqual(ids.toSorted());
      };
    });
    expect(crashes).toBeGreaterThan(15);
  });

  test.each<[string, (queued: Owned) => Promise<Owned>]>([
    ['the broadcast', async (queued) => queued],
    ['settling a success', landed],
  ])('of %s: the operation lands once and is FINALIZED', async (_work, before) => {
    const visitor = await world.signedIn();
    const crashes = await crashAtEveryCall(async ({ created }, startCountdown) => {
      const operation = await before(await world.queued(visitor));
      startCountdown();
      await step(startWorker(created.service));
      return async () => {
        await continueWithNext();
        await expectFinalizedOnce(operation);
      };
    });
    expect(crashes).toBeGreaterThanOrEqual(5);
  });

  test('of settling a failure: it is FAILED with the error of the chain', async () => {
    const visitor = await world.signedIn();
    const crashes = await crashAtEveryCall(async ({ created }, startCountdown) => {
      const body = ruleSetBody();
      const first = await visitor.prepare('/api/rules', body);
      const second = await visitor.prepare('/api/rules', body);
      await world.finish(visitor, first);
      await visitor.signAndSubmit(second);
      const operation = await landed({ visitor, id: second.body.operationId });
      startCountdown();
      await step(startWorker(created.service));
      return async () => {
        await continueWithNext();
        expect(await landedOf(operation)).toHaveLength(1);
        expect(await world.operation(operation)).toMatchObject({
          state: 'FAILED',
          failure: { reason: 'ON_CHAIN_ERROR', programError: { name: 'ALREADY_INITIALIZED' } },
        });
      };
    });
    expect(crashes).toBeGreaterThanOrEqual(5);
  });

  test('of proving that it did not land: it is FAILED as NEVER_LANDED', async () => {
    const visitor = await world.signedIn();
    const crashes = await crashAtEveryCall(async ({ created }, startCountdown) => {
      world.net.dropTransactions(true);
      const operation = await world.queued(visitor);
      await next.tick();
      world.net.advanceSlots(200);
      world.net.dropTransactions(false);
      startCountdown();
      const worker = startWorker(created.service);
      await step(worker);
      world.clock.ms += 6_000;
      await step(worker);
      return async () => {
        await next.tick();
        world.clock.ms += 6_000;
        await next.tick();
        expect(await landedOf(operation)).toEqual([]);
        expect(await world.operation(operation)).toMatchObject({
          state: 'FAILED',
          failure: { reason: 'NEVER_LANDED' },
        });
      };
    });
    expect(crashes).toBeGreaterThan(12);
  });

  test('of an index step: the index has everything that is final', async () => {
    const visitor = await world.signedIn();
    const crashes = await crashAtEveryCall(async ({ created }, startCountdown) => {
      const operation = await landed(await world.queued(visitor));
      startCountdown();
      await step(startIndexer(created.service));
      return async () => {
        await continueWithNext();
        await expectFinalizedOnce(operation);
        expect(await indexedAccounts()).toEqual(await accountsOnChain());
      };
    });
    expect(crashes).toBeGreaterThan(4);
  });

  test('of a credential, from the webhook until it is ISSUED: it is issued once', async () => {
    const crashes = await crashAtEveryCall(async ({ created }, startCountdown) => {
      const { address: wallet } = await world.visitor();
      const sessionId = await addSession(world.database.db, wallet, world.clock.now());
      const send = await messageOf(sessionId, wallet);
      startCountdown();
      const answer = await send(created);
      const issuer = startCredentialIssuer(created.service);
      for (const _ of ['send', 'see']) {
        await step(issuer);
        world.net.finalize();
      }
      return async () => {
        if (answer.status !== 200) expect(await send(next)).toMatchObject({ status: 200 });
        await continueWithNext();
        const session = world.database.db
          .selectFrom('verification_session')
          .select('state')
          .where('id', '=', sessionId);
        expect(await session.executeTakeFirst()).toEqual({ state: 'ISSUED' });
        const account = await programAddresses(world.program).credential(wallet);
        const transactions = await world.rpc
          .getSignaturesForAddress(account, { commitment: 'finalized' })
          .send();
        expect(transactions.map(({ err }) => err)).toEqual([null]);
      };
    });
    expect(crashes).toBeGreaterThan(20);
  });
});

/** Broadcasts an operation, and finalizes what landed without settling it. */
async function landed<T extends Pick<Owned, 'id'>>(operation: T): Promise<T> {
  const worker = startWorker(next.service);
  await worker.tick();
  await worker.stop();
  world.net.finalize();
  return operation;
}

/** Returns a function that delivers the same signed credential to a process. */
async function messageOf(sessionId: string, wallet: Visitor['address']) {
  const { net, program, keys } = world;
  const issuedAt = BigInt(net.time);
  const commitment = new Uint8Array(32);
  new DataView(commitment.buffer).setBigUint64(24, issuedAt);
  const times = { issuedAt, expiresAt: issuedAt + 86_400n };
  const statement = { program, genesisHash: net.genesisHash, wallet, commitment, ...times };
  const data = await completedData(sessionId, statement, keys.verifier);
  return ({ app }: CreatedService) => deliver(app, { data, now: world.clock.now(), id: `msg_${sessionId}` });
}

/** Returns the accounts in the index with their data, in order of address. */
async function indexedAccounts(): Promise<string[]> {
  return shown(await world.database.db.selectFrom('indexed_account').select(['address', 'data']).execute());
}

/** Returns the accounts that a full reading of the chain finds, in the same form. */
async function accountsOnChain(): Promise<string[]> {
  const { signal } = new AbortController();
  return shown((await readSlice(next.service, ALL, { minSlot: 0n, signal })).entries);
}

function shown(accounts: readonly { address: string; data: Uint8Array }[]): string[] {
  return accounts.map(({ address, data }) => `${address} ${Buffer.from(data).toString('base64')}`).sort();
}
