import { randomUUID } from 'node:crypto';
import {
  credentialMessage,
  issueCredentialInstructions,
  readAccount,
  revocationMessage,
  revokeCredentialInstructions,
} from '@service/protocol';
import { type Address, generateKeyPairSigner, type KeyPairSigner, signBytes } from '@solana/kit';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StillClock, TestChain } from '../../../test/support/chain-index/chain.ts';
import { crashingProcess } from '../../../test/support/crash-injection.ts';
import { type TestService, testService } from '../../../test/support/read-service.ts';
import type { TestDatabase } from '../../../test/support/test-database.ts';
import { deliver, revokedData } from '../../../test/support/verification/deliveries.ts';
import { type AroundCalls, startOnFailingRpc } from '../../../test/support/verification/failing-rpc.ts';
import { addIssuingSession } from '../../../test/support/verification/sessions.ts';
import { areJobsHealthy } from '../../health/checks.ts';
import { startCredentialIssuer } from '../index.ts';
import { queueRevocation } from './revocations.ts';

let started: Awaited<ReturnType<typeof startOnFailingRpc>>;
let clock: StillClock;
let chain: TestChain;
let database: TestDatabase;
let service: TestService;
let wallet: Address;
let rpc: AroundCalls;

beforeAll(async () => {
  started = await startOnFailingRpc();
  ({ clock, chain, database, service, rpc } = started);
});
afterAll(() => started.close());
beforeEach(async () => {
  rpc.before = () => undefined;
  rpc.after = () => undefined;
  await sql`truncate webhook_delivery, credential_revocation, verification_session`.execute(database.db);
  wallet = (await generateKeyPairSigner()).address;
  clock.pass(100);
  chain.net.advanceSlots(3);
  await service.follow();
  rpc.calls = [];
});

/** Puts a credential on chain that was issued some seconds ago. */
async function issued(secondsAgo: bigint): Promise<void> {
  await chain.credential(wallet, {
    issuedAt: clock.seconds - secondsAgo,
    expiresAt: clock.seconds + 10_000n,
  });
  await service.follow();
}

/** Queues a revocation up to some seconds ago. */
async function revoked(secondsAgo = 0n, by: KeyPairSigner = chain.keys.verifier): Promise<void> {
  const statement = revocation(clock.seconds - secondsAgo);
  const signature = await signBytes(by.keyPair.privateKey, revocationMessage(statement));
  const claim = { statement, signature, verifierAuthority: by.address };
  await database.db.transaction().execute((trx) => queueRevocation(trx, claim));
}

const revocation = (revokedAt: bigint) => ({
  program: chain.program,
  genesisHash: chain.net.genesisHash,
  wallet,
  revokedAt,
});

/** A session whose credential, issued some seconds ago, is accepted and queued. */
async function queued(secondsAgo: bigint, verifier = chain.keys.verifier): Promise<string> {
  const id = randomUUID();
  const times = { issuedAt: clock.seconds - secondsAgo, expiresAt: clock.seconds + 10_000n };
  const statement = chain.statement(wallet, times);
  await addIssuingSession(database.db, {
    id,
    wallet,
    created_at: BigInt(clock.now()),
    expires_at: BigInt(clock.now()) + 3_600_000n,
    verifier_authority: verifier.address,
    commitment: statement.commitment,
    issued_at: times.issuedAt,
    credential_expires_at: times.expiresAt,
    signature: await signBytes(verifier.keyPair.privateKey, credentialMessage(statement)),
  });
  return id;
}

const tick = () => startCredentialIssuer(service.service).tick();
/** A tick, and what it sent is final and in the index. */
const tickAndFollow = async () => {
  await tick();
  await service.follow();
};
const row = () =>
  database.db
    .selectFrom('credential_revocation')
    .selectAll()
    .where('wallet', '=', wallet)
    .executeTakeFirstOrThrow();
const session = (id: string) =>
  database.db.selectFrom('verification_session').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const onChain = async () =>
  (
    await readAccount(
      { rpc: chain.net.rpc as never, program: chain.program, commitment: 'finalized' },
      'credential',
      await chain.addresses.credential(wallet),
    )
  )?.data;
const sends = () => rpc.calls.filter((method) => method === 'sendTransaction').length;

describe('revoking', () => {
  it('revokes on chain, paid by the service, and is done only when it is final', async () => {
    await issued(50n);
    await revoked();
    await tick();
    expect(await row()).toMatchObject({ state: 'REVOKING', sent_signature: expect.any(String) });
    expect((await onChain())?.revoked).toBe(false);
    chain.net.advanceSlots();
    await tick();
    expect((await row()).state).toBe('REVOKING');
    chain.net.finalize();
    await tick();
    expect(await row()).toMatchObject({ state: 'SETTLED', lease_owner: null });
    expect(await onChain()).toMatchObject({ revoked: true, issuedAt: clock.seconds });
    expect(sends()).toBe(1);
  });

  it('revokes what was issued in the same second', async () => {
    await issued(0n);
    await revoked();
    await tickAndFollow();
    expect((await onChain())?.revoked).toBe(true);
    await tick();
    expect((await row()).state).toBe('SETTLED');
  });

  it('leaves a credential alone that was issued later', async () => {
    await issued(9n);
    await revoked(10n);
    await tick();
    expect((await row()).state).toBe('SETTLED');
    expect(sends()).toBe(0);
    expect((await onChain())?.revoked).toBe(false);
  });

  it('sends nothing when somebody else has put it there', async () => {
    await issued(50n);
    const statement = revocation(clock.seconds);
    const { keyPair, address } = chain.keys.verifier;
    const signature = await signBytes(keyPair.privateKey, revocationMessage(statement));
    const instructions = { statement, signature, verifierAuthority: address };
    await chain.land([chain.keys.payer], await revokeCredentialInstructions(instructions));
    await service.follow();
    await revoked();
    await tick();
    expect((await row()).state).toBe('SETTLED');
    expect(sends()).toBe(0);
  });

  it('is done by one of several processes at once', async () => {
    await issued(50n);
    await revoked();
    await Promise.all([tick(), tick(), tick()]);
    expect(sends()).toBe(1);
  });

  it('goes on to a later time when the verifier revokes again, and not back to an earlier', async () => {
    await issued(50n);
    await revoked(20n);
    await tickAndFollow();
    await tick();
    expect((await onChain())?.issuedAt).toBe(clock.seconds - 20n);
    const settled = await row();
    await revoked(20n);
    await revoked(30n);
    expect(await row()).toEqual(settled);

    await revoked(10n);
    await tickAndFollow();
    await tick();
    expect(await row()).toMatchObject({ id: settled.id, state: 'SETTLED', revoked_at: clock.seconds - 10n });
    expect(await onChain()).toMatchObject({ revoked: true, issuedAt: clock.seconds - 10n });
  });

  it('that is stated anew takes the place of what was under way, whoever is at it', async () => {
    await issued(50n);
    await revoked(20n);
    rpc.before = async (method) => {
      if (method !== 'simulateTransaction') return;
      rpc.before = () => undefined;
      await revoked(10n);
    };
    await tick();
    expect(sends()).toBe(0);
    expect(await row()).toMatchObject({ state: 'REVOKING', sent_signature: null, lease_owner: null });
    await tickAndFollow();
    expect((await onChain())?.issuedAt).toBe(clock.seconds - 10n);
  });
});

describe('before there is a credential', () => {
  it('it asks nothing until the index has one, and then revokes it', async () => {
    await revoked(5n);
    await tick();
    expect(await row()).toMatchObject({ state: 'WATCHING', attempts: 0 });
    rpc.calls = [];
    clock.pass(3_600);
    chain.net.advanceSlots(3);
    await service.follow();
    rpc.calls = [];
    await tick();
    expect(rpc.calls).toEqual([]);

    // Anybody may land what the verifier had signed before.
    await issued(3_700n);
    expect((await onChain())?.revoked).toBe(false);
    await tickAndFollow();
    expect(await onChain()).toMatchObject({ revoked: true, issuedAt: clock.seconds - 3_605n });
    await tick();
    expect((await row()).state).toBe('SETTLED');
  });

  it('it leaves one alone that was issued later', async () => {
    await revoked(5n);
    await tick();
    await issued(4n);
    await tick();
    expect((await row()).state).toBe('SETTLED');
    expect(sends()).toBe(0);
  });

  it('another verifier’s does not count, and what comes after it does', async () => {
    const other = await generateKeyPairSigner();
    await chain.setVerifier(true, other.address);
    const statement = chain.statement(wallet, {
      issuedAt: clock.seconds - 20n,
      expiresAt: clock.seconds + 2n,
    });
    await chain.land(
      [chain.keys.payer],
      await issueCredentialInstructions({
        payer: chain.keys.payer.address,
        statement,
        verifierAuthority: other.address,
        signature: await signBytes(other.keyPair.privateKey, credentialMessage(statement)),
      }),
    );
    await service.follow();
    await revoked();
    await tick();
    expect((await row()).state).toBe('WATCHING');
    await tick();
    rpc.calls = [];
    await tick();
    expect(rpc.calls).toEqual([]);

    clock.pass(2);
    chain.net.advanceSlots(3);
    const late = chain.statement(wallet, { issuedAt: clock.seconds - 5n, expiresAt: clock.seconds + 50n });
    await chain.land(
      [chain.keys.payer],
      await issueCredentialInstructions({
        payer: chain.keys.payer.address,
        statement: late,
        verifierAuthority: chain.keys.verifier.address,
        signature: await signBytes(chain.keys.verifier.keyPair.privateKey, credentialMessage(late)),
        previousVerifier: await chain.addresses.verifier(other.address),
      }),
    );
    await service.follow();
    await tickAndFollow();
    await tick();
    expect((await row()).state).toBe('SETTLED');
    expect(await onChain()).toMatchObject({ revoked: true, issuedAt: clock.seconds - 2n });
  });

  it('and another verifier’s is newer: nothing can come any more', async () => {
    const other = await generateKeyPairSigner();
    await issued(5n);
    await revoked(5n, other);
    await tick();
    expect((await row()).state).toBe('SETTLED');
    expect(sends()).toBe(0);
    expect((await onChain())?.revoked).toBe(false);
  });
});

describe('the issuing of a credential', () => {
  it('that is revoked does not begin', async () => {
    const [old, same] = [await queued(50n), await queued(0n)];
    await revoked();
    await tick();
    for (const id of [old, same]) {
      expect(await session(id)).toMatchObject({
        state: 'FAILED',
        failure: 'The verifier revoked the credential before it was on chain.',
      });
    }
    expect(sends()).toBe(0);
    expect((await row()).state).toBe('WATCHING');
  });

  it('that another verifier revoked goes on', async () => {
    const id = await queued(50n);
    await revoked(0n, await generateKeyPairSigner());
    await tickAndFollow();
    await tick();
    expect((await session(id)).state).toBe('ISSUED');
    expect((await onChain())?.revoked).toBe(false);
  });

  it('that is under way is followed, and the revocation after it', async () => {
    const id = await queued(50n);
    chain.net.dropTransactions(true);
    await tick();
    chain.net.dropTransactions(false);
    await revoked();
    await tick();
    expect((await row()).state).toBe('WATCHING');
    await service.follow();
    expect((await onChain())?.revoked).toBe(false);
    await tickAndFollow();
    await tick();
    expect((await onChain())?.revoked).toBe(true);
    expect((await session(id)).state).toBe('ISSUED');
    expect((await row()).state).toBe('SETTLED');
  });

  it('that was revoked before it was looked at again is done', async () => {
    const id = await queued(50n);
    const loser = await queued(40n);
    await database.db
      .updateTable('verification_session')
      .set({ due_at: BigInt(clock.now() + 1) })
      .where('id', '=', loser)
      .execute();
    await tick();
    await service.follow();
    await database.db
      .updateTable('verification_session')
      .set({ due_at: BigInt(clock.now() + 1) })
      .where('id', '=', id)
      .execute();
    await revoked(30n);
    await tickAndFollow();
    expect(await onChain()).toMatchObject({ revoked: true, issuedAt: clock.seconds - 30n });

    clock.pass(1);
    await tick();
    expect((await session(id)).state).toBe('ISSUED');
    // Another credential of the wallet, though older than the revocation too, is not the one that was revoked.
    expect(await session(loser)).toMatchObject({
      state: 'FAILED',
      failure: expect.stringContaining('same time or later'),
    });
  });

  it('again, after the revocation, brings a credential that stays', async () => {
    await issued(50n);
    await revoked(10n);
    await tickAndFollow();
    await tick();
    const id = await queued(9n);
    await tickAndFollow();
    await tick();
    expect((await session(id)).state).toBe('ISSUED');
    expect(await onChain()).toMatchObject({ revoked: false, issuedAt: clock.seconds - 9n });
  });

  it('again, before the revocation is on chain, overtakes it', async () => {
    await issued(50n);
    const id = await queued(9n);
    await tick();
    await revoked(10n);
    await service.follow();
    await tick();
    expect((await session(id)).state).toBe('ISSUED');
    expect((await row()).state).toBe('SETTLED');
    expect((await onChain())?.revoked).toBe(false);
  });
});

describe('a crash', () => {
  beforeEach(async () => {
    await issued(50n);
    await revoked();
  });

  it('before the transaction left: the same bytes go out afterwards', async () => {
    rpc.before = (method) => {
      if (method === 'sendTransaction') throw new TypeError('fetch failed');
    };
    await tick();
    const { sent_signature: stored } = await row();
    expect(stored).not.toBeNull();
    rpc.before = () => undefined;
    clock.pass(1);
    await tick();
    expect((await row()).sent_signature).toBe(stored);
    await service.follow();
    await tick();
    expect((await row()).state).toBe('SETTLED');
    expect((await onChain())?.revoked).toBe(true);
  });

  it('after it left, before anybody knew: it is not sent a second time', async () => {
    rpc.after = (method) => {
      if (method === 'sendTransaction') throw new TypeError('fetch failed');
    };
    await tick();
    rpc.after = () => undefined;
    clock.pass(1);
    await tick();
    await service.follow();
    await tick();
    expect((await row()).state).toBe('SETTLED');
    expect(sends()).toBe(1);
  });

  it('of the process that held the lease: another takes over when the lease has run out', async () => {
    await database.db
      .updateTable('credential_revocation')
      .set({ lease_owner: 'dead', lease_until: BigInt(clock.now() + 30_000) })
      .execute();
    await tick();
    expect((await row()).sent_signature).toBeNull();
    clock.pass(30);
    await tick();
    expect((await row()).sent_signature).not.toBeNull();
  });
});

it.each([false, true])(
  'a kill at any call loses no revocation that was answered, and lands it once (afterwards: %s)',
  async (afterwards) => {
    let kills = 0;
    for (let survived = false; !survived; kills += 1) {
      wallet = (await generateKeyPairSigner()).address;
      await issued(50n);
      const sessionId = await queued(50n);
      await tick();
      const data = await revokedData(sessionId, revocation(clock.seconds), chain.keys.verifier);
      const send = (app: TestService['app']) =>
        deliver(app, { type: 'credential.revoked', data, now: clock.now(), id: `msg_${sessionId}` });
      const process = crashingProcess({ database, net: chain.net }, { afterwards });
      const dying = await testService(chain, { clock, ...process });
      process.dieAfter(kills);
      const answer = await send(dying.app);
      await startCredentialIssuer(dying.service)
        .tick()
        .catch(() => undefined);
      survived = !process.isDead;

      clock.pass(30);
      if (answer.status !== 200) expect(await send(service.app)).toMatchObject({ status: 200 });
      for (const _ of [1, 2]) await tickAndFollow();
      await tick();
      expect((await row()).state, `${kills} calls`).toBe('SETTLED');
      expect((await onChain())?.revoked).toBe(true);
      const address = await chain.addresses.credential(wallet);
      const landed = await chain.net.rpc.getSignaturesForAddress(address, { commitment: 'confirmed' }).send();
      expect(landed.map(({ err }) => err)).toEqual([null, null]);
    }
    expect(kills).toBeGreaterThan(15);
  },
  60_000,
);

describe('a transaction', () => {
  it('that does not land goes out again, and anew only when it cannot any more', async () => {
    await issued(50n);
    await revoked();
    chain.net.dropTransactions(true);
    await tick();
    const first = await row();
    chain.net.advanceSlots(100);
    await tick();
    expect((await row()).sent_signature).toBe(first.sent_signature);
    chain.net.advanceSlots(200);
    await tick();
    expect(await row()).toMatchObject({ sent_signature: null, attempts: 1 });
    chain.net.dropTransactions(false);
    clock.pass(1);
    await tickAndFollow();
    await tick();
    expect((await row()).state).toBe('SETTLED');
    expect((await onChain())?.revoked).toBe(true);
  });

  it('that fails on chain, because the credential was renewed meanwhile, ends in peace', async () => {
    await issued(50n);
    await revoked(10n);
    chain.net.dropTransactions(true);
    await tick();
    chain.net.dropTransactions(false);
    // The renewal is confirmed first, and final no sooner than the revocation has failed.
    await chain.credential(wallet, { issuedAt: clock.seconds, expiresAt: clock.seconds + 100n });
    await tick();
    await service.follow();
    await tick();
    expect((await row()).state).toBe('SETTLED');
    expect((await onChain())?.revoked).toBe(false);
  });

  it('of a verifier that is not active any more revokes once, and waits with the next without a fault', async () => {
    await issued(50n);
    await chain.setVerifier(false);
    await revoked(20n);
    await tickAndFollow();
    await tick();
    expect(await onChain()).toMatchObject({ revoked: true, issuedAt: clock.seconds - 20n });
    await revoked(10n);
    for (const _ of [1, 2, 3, 4]) await tick();
    await chain.setVerifier(true);
    expect(await row()).toMatchObject({ state: 'WATCHING', attempts: 0 });
    expect(await areJobsHealthy(service.service)).toBe(true);
  });
});

it('tries again when the chain could not be asked, and says so when that lasts', async () => {
  await issued(50n);
  await revoked();
  chain.net.pause('unreachable');
  await tick();
  expect(await row()).toMatchObject({ state: 'REVOKING', attempts: 1, lease_owner: null });
  expect(Number((await row()).due_at) - clock.now()).toBe(1_000);
  expect(await areJobsHealthy(service.service)).toBe(true);
  for (const _ of [1, 2]) {
    clock.pass(60);
    await tick();
  }
  expect(await areJobsHealthy(service.service)).toBe(false);
  chain.net.resume();
  clock.pass(60);
  await tickAndFollow();
  await tick();
  expect((await row()).state).toBe('SETTLED');
  expect(await areJobsHealthy(service.service)).toBe(true);
});
