import {
  MAX_PASSES_PER_REVOCATION,
  revocationMessage,
  revokeCredentialInstructions,
} from '@service/protocol';
import { getPassEncoder } from '@service/protocol/generated';
import {
  type Address,
  generateKeyPairSigner,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type KeyPairSigner,
  signBytes,
} from '@solana/kit';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampledNumbers } from '../../../../../test/support/sample.ts';
import type { Times } from '../../../test/support/chain.ts';
import { crashingProcess } from '../../../test/support/crash-injection.ts';
import { randomAddress, type TestService } from '../../../test/support/service-on-chain.ts';
import { deliver, revokedData } from '../../../test/support/verification/deliveries.ts';
import { issuerOnChain } from '../../../test/support/verification/issuer-on-chain.ts';
import { readAttention } from '../../health/attention.ts';
import { startCredentialIssuer } from '../issuing/issuer.ts';
import { queueRevocation } from './revocations.ts';

const on = issuerOnChain();

beforeEach(async () => {
  await sql`truncate welcome_payment, webhook_delivery, credential_revocation, verification_session`.execute(
    on.database.db,
  );
  await on.reset();
  on.pass(100);
  await on.service.follow();
  on.rpc.calls = [];
});

/** Puts a credential on chain that was issued some seconds ago. */
async function issued(times: bigint | Times, options?: object): Promise<void> {
  await on.chain.credential(on.wallet, typeof times === 'bigint' ? on.times(times) : times, options);
  await on.service.follow();
}

/** Queues a credential that was issued some seconds ago; returns the id of its session. */
const queued = (secondsAgo: bigint) => on.queued(on.times(secondsAgo));

const revocation = (revokedAt: bigint) => ({
  program: on.chain.program,
  genesisHash: on.chain.net.genesisHash,
  wallet: on.wallet,
  revokedAt,
});

/** Signs a revocation up to some seconds ago. */
async function signedRevocation(secondsAgo = 0n, by: KeyPairSigner = on.chain.keys.verifier) {
  const statement = revocation(on.clock.seconds - secondsAgo);
  const signature = await signBytes(by.keyPair.privateKey, revocationMessage(statement));
  return { statement, signature, verifierAuthority: by.address };
}

/** Queues a revocation up to some seconds ago. */
async function revoked(secondsAgo?: bigint, by?: KeyPairSigner): Promise<void> {
  const claim = await signedRevocation(secondsAgo, by);
  await on.database.db.transaction().execute((trx) => queueRevocation(trx, claim));
}

/** Puts a credential on chain that was issued some seconds ago, and queues a revocation of it. */
async function issuedAndRevoked(issuedAgo: bigint, revokedAgo?: bigint): Promise<void> {
  await issued(issuedAgo);
  await revoked(revokedAgo);
}

/** Runs a step, finalizes what it sent, and indexes it. */
const tickAndFollow = async () => {
  await on.tick();
  await on.service.follow();
};
const attention = () => readAttention(on.service.service, on.service.service.signal);
/** Runs a step and, when its transaction is finalized, another one. */
const tickTwice = async () => {
  await tickAndFollow();
  await on.tick();
};
/** Expects that these steps leave nothing to do for the revocation. */
const expectSettledAfter = async (steps: () => Promise<void>) => {
  await steps();
  expect(await row()).toMatchObject({ state: 'SETTLED', lease_owner: null });
};
/** Expects a revoked credential with the time of the revocation. */
const expectRevoked = async (secondsAgo = 0n) =>
  expect(await on.credential()).toMatchObject({ revoked: true, issuedAt: on.clock.seconds - secondsAgo });
/** Expects that one step leaves nothing to do and sends nothing. */
const expectNothingSent = async () => {
  await expectSettledAfter(on.tick);
  expect(on.sends()).toBe(0);
};
const row = () =>
  on.database.db
    .selectFrom('credential_revocation')
    .selectAll()
    .where('wallet', '=', on.wallet)
    .executeTakeFirstOrThrow();
/** Makes a session due in a millisecond. */
const postpone = (id: string) =>
  on.database.db
    .updateTable('verification_session')
    .set({ due_at: BigInt(on.clock.now() + 1) })
    .where('id', '=', id)
    .execute();

describe('revoking', () => {
  it('revokes on chain at the service’s cost, and is SETTLED only when it is finalized', async () => {
    await issuedAndRevoked(50n);
    await on.tick();
    expect(await row()).toMatchObject({ state: 'REVOKING', sent_signature: expect.any(String) });
    expect((await on.credential())?.revoked).toBe(false);
    on.chain.net.advanceSlots();
    await on.tick();
    expect((await row()).state).toBe('REVOKING');
    on.chain.net.finalize();
    await expectSettledAfter(on.tick);
    await expectRevoked();
    expect(on.sends()).toBe(1);
  });

  it('lists the passes of its verifier, although the wallet has many of another one that expire later', async () => {
    const verifier = await on.chain.addresses.verifier(on.chain.keys.verifier.address);
    const pass = (by: Address, expiresAt: bigint) =>
      getPassEncoder().encode({
        bump: 255,
        rule: randomAddress(),
        wallet: on.wallet,
        issuedAt: 1n,
        expiresAt,
        circuit: randomAddress(),
        verifier: by,
        commitment: new Uint8Array(32),
      });
    const [own, ...others] = await on.service.plant(
      pass(verifier, on.clock.seconds + 100n),
      ...Array.from({ length: MAX_PASSES_PER_REVOCATION }, () =>
        pass(randomAddress(), on.clock.seconds + 200n),
      ),
    );
    await issuedAndRevoked(50n);
    await on.tick();
    const { messageBytes } = getTransactionDecoder().decode((await row()).sent_transaction!);
    const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(messageBytes);
    expect(staticAccounts).toContain(own);
    expect(staticAccounts.filter((each) => others.includes(each))).toEqual([]);
  });

  it('revokes a credential of the same second', async () => {
    await issuedAndRevoked(0n);
    await tickAndFollow();
    expect((await on.credential())?.revoked).toBe(true);
    await expectSettledAfter(on.tick);
  });

  it('keeps a credential that was issued later', async () => {
    await issuedAndRevoked(9n, 10n);
    await expectNothingSent();
    expect((await on.credential())?.revoked).toBe(false);
  });

  it('sends nothing when the revocation is already on chain', async () => {
    await issued(50n);
    const payer = on.chain.keys.payer.address;
    const instructions = await revokeCredentialInstructions({ payer, ...(await signedRevocation()) });
    await on.chain.land([on.chain.keys.payer], instructions);
    await on.service.follow();
    await revoked();
    await expectNothingSent();
  });

  it('sends once when several processes run at once', async () => {
    await issuedAndRevoked(50n);
    await Promise.all([on.tick(), on.tick(), on.tick()]);
    expect(on.sends()).toBe(1);
  });

  it('moves to a later time when the verifier revokes again, and never to an earlier one', async () => {
    await issuedAndRevoked(50n, 20n);
    await tickTwice();
    expect((await on.credential())?.issuedAt).toBe(on.clock.seconds - 20n);
    const settled = await row();
    await revoked(20n);
    await revoked(30n);
    expect(await row()).toEqual(settled);

    await revoked(10n);
    await expectSettledAfter(tickTwice);
    expect(await row()).toMatchObject({ id: settled.id, revoked_at: on.clock.seconds - 10n });
    await expectRevoked(10n);
  });

  it('with a later time replaces the current revocation and takes its lease', async () => {
    await issuedAndRevoked(50n, 20n);
    on.rpc.before = async (method) => {
      if (method !== 'simulateTransaction') return;
      on.rpc.before = () => undefined;
      await revoked(10n);
    };
    await on.tick();
    expect(on.sends()).toBe(0);
    expect(await row()).toMatchObject({ state: 'REVOKING', sent_signature: null, lease_owner: null });
    await tickAndFollow();
    expect((await on.credential())?.issuedAt).toBe(on.clock.seconds - 10n);
  });
});

describe('before there is a credential', () => {
  it('is put on chain at once, so that what was signed before cannot land', async () => {
    await revoked(5n);
    await expectSettledAfter(tickTwice);
    expect(on.sends()).toBe(1);
    await expectRevoked(5n);
    expect(await on.credential()).toMatchObject({ commitment: new Uint8Array(32), expiresAt: 0n });
    for (const ago of [3_000n, 5n]) await expect(issued(ago)).rejects.toThrow();
    await issued(4n);
    expect((await on.credential())?.revoked).toBe(false);
  });

  it.each([
    ['an older', 20n],
    ['a newer', 5n],
  ])('is kept beside %s one of another verifier, which stays valid', async (_, ago) => {
    const other = await generateKeyPairSigner();
    await on.chain.setVerifier(true, other.address);
    await issued(ago, { by: other });
    await revoked(10n);
    await expectSettledAfter(tickTwice);
    expect((await on.credential())?.revoked).toBe(false);
    // Nothing that was signed before can follow, and another revocation sends nothing.
    on.pass(10_000);
    const previousVerifier = await on.chain.addresses.verifier(other.address);
    const early = on.times(10_010n, 10_000n);
    await expect(issued(early, { previousVerifier })).rejects.toThrow();
    await issued(on.times(10_009n, 10_000n), { previousVerifier });
    expect((await on.credential())?.revoked).toBe(false);
  });
});

describe('a queued credential', () => {
  it('that is revoked is not sent', async () => {
    const [old, same] = [await queued(50n), await queued(0n)];
    await revoked();
    await on.tick();
    const failure = 'The verifier revoked the credential before it was on chain.';
    for (const id of [old, same]) expect(await on.session(id)).toMatchObject({ state: 'FAILED', failure });
    await on.service.follow();
    await expectSettledAfter(on.tick);
    expect(on.sends()).toBe(1);
    await expectRevoked();
  });

  it('that another verifier revoked is issued', async () => {
    const id = await queued(50n);
    await revoked(0n, await generateKeyPairSigner());
    await tickTwice();
    expect((await on.session(id)).state).toBe('ISSUED');
    expect((await on.credential())?.revoked).toBe(false);
  });

  it('that was sent ends revoked, whichever lands first', async () => {
    const id = await queued(50n);
    on.chain.net.dropTransactions(true);
    await on.tick();
    on.chain.net.dropTransactions(false);
    await revoked();
    await tickAndFollow();
    await expectSettledAfter(tickTwice);
    await expectRevoked();
    expect(['ISSUED', 'FAILED']).toContain((await on.session(id)).state);
  });

  it('that was revoked before the next check is ISSUED', async () => {
    const id = await queued(50n);
    const loser = await queued(40n);
    await postpone(loser);
    await on.tick();
    await on.service.follow();
    await postpone(id);
    await revoked(30n);
    await tickAndFollow();
    await expectRevoked(30n);

    await on.tickAfter(1);
    expect((await on.session(id)).state).toBe('ISSUED');
    // Another credential of the wallet is also older than the revocation.
    const failure = 'The verifier revoked the credential before it was on chain.';
    expect(await on.session(loser)).toMatchObject({ state: 'FAILED', failure });
  });

  it('that is later than the revocation stays valid', async () => {
    await issuedAndRevoked(50n, 10n);
    await tickTwice();
    const id = await queued(9n);
    await tickTwice();
    expect((await on.session(id)).state).toBe('ISSUED');
    expect(await on.credential()).toMatchObject({ revoked: false, issuedAt: on.clock.seconds - 9n });
  });

  it('that lands before an earlier revocation settles it', async () => {
    await issued(50n);
    const id = await queued(9n);
    await on.tick();
    await revoked(10n);
    await on.service.follow();
    await expectSettledAfter(on.tick);
    expect((await on.session(id)).state).toBe('ISSUED');
    expect((await on.credential())?.revoked).toBe(false);
  });
});

describe('a crash', () => {
  beforeEach(() => issuedAndRevoked(50n));

  it('before the transaction is sent: the same bytes are sent later', async () => {
    on.breakSends('before');
    await on.tick();
    const { sent_signature: stored } = await row();
    expect(stored).not.toBeNull();
    on.recover();
    await on.tickAfter(1);
    expect((await row()).sent_signature).toBe(stored);
    await on.service.follow();
    await expectSettledAfter(on.tick);
    expect((await on.credential())?.revoked).toBe(true);
  });

  it('after it is sent, before the response: it is not sent again', async () => {
    on.breakSends('after');
    await on.tick();
    on.recover();
    on.clock.pass(1);
    await expectSettledAfter(tickTwice);
    expect(on.sends()).toBe(1);
  });

  it('of the process with the lease: another process continues when the lease expires', async () => {
    await on.database.db
      .updateTable('credential_revocation')
      .set({ lease_owner: 'dead', lease_until: BigInt(on.clock.now() + 30_000) })
      .execute();
    await on.tick();
    expect((await row()).sent_signature).toBeNull();
    await on.tickAfter(30);
    expect((await row()).sent_signature).not.toBeNull();
  });
});

it.each([false, true])(
  'a kill at any call loses no accepted revocation and lands it once (after the call: %s)',
  async (afterwards) => {
    for (const calls of sampledNumbers()) {
      await on.reset();
      await issued(50n);
      const sessionId = await queued(50n);
      await on.tick();
      const data = await revokedData(sessionId, revocation(on.clock.seconds), on.chain.keys.verifier);
      const send = (app: TestService['app']) =>
        deliver(app, { type: 'credential.revoked', data, now: on.clock.now(), id: `msg_${sessionId}` });
      const process = crashingProcess({ database: on.database, net: on.chain.net }, { afterwards });
      const crashing = await on.another(process);
      process.crashAfter(calls);
      const answer = await send(crashing.app);
      await startCredentialIssuer(crashing.service)
        .tick()
        .catch(() => undefined);
      on.clock.pass(30);
      if (answer.status !== 200) expect(await send(on.service.app)).toMatchObject({ status: 200 });
      for (const _ of [1, 2]) await tickAndFollow();
      await on.tick();
      expect((await row()).state, `${calls} calls`).toBe('SETTLED');
      expect((await on.credential())?.revoked).toBe(true);
      expect((await on.landed()).map(({ err }) => err)).toEqual([null, null]);
      if (process.hasCrashed) continue;
      expect(calls).toBeGreaterThanOrEqual(15);
      break;
    }
  },
  60_000,
);

describe('a transaction', () => {
  it('that does not land is sent again, and is replaced only when it can no longer land', async () => {
    await issuedAndRevoked(50n);
    on.chain.net.dropTransactions(true);
    await on.tick();
    const first = await row();
    on.chain.net.advanceSlots(100);
    await on.tick();
    expect((await row()).sent_signature).toBe(first.sent_signature);
    on.chain.net.advanceSlots(200);
    await on.tick();
    expect(await row()).toMatchObject({ sent_signature: null, attempts: 1 });
    on.chain.net.dropTransactions(false);
    on.clock.pass(1);
    await expectSettledAfter(tickTwice);
    expect((await on.credential())?.revoked).toBe(true);
  });

  it('that fails because the credential was renewed settles the revocation', async () => {
    await issuedAndRevoked(50n, 10n);
    on.chain.net.dropTransactions(true);
    await on.tick();
    on.chain.net.dropTransactions(false);
    // The renewal is confirmed first, and finalized when the revocation has failed.
    await on.chain.credential(on.wallet, on.times(0n, 100n));
    await expectSettledAfter(tickTwice);
    expect((await on.credential())?.revoked).toBe(false);
  });

  it('of an inactive verifier revokes once, and the next revocation waits without an error', async () => {
    await issued(50n);
    await on.chain.setVerifier(false);
    await revoked(20n);
    await tickTwice();
    await expectRevoked(20n);
    await revoked(10n);
    for (const _ of [1, 2, 3, 4]) await on.tick();
    await on.chain.setVerifier(true);
    expect(await row()).toMatchObject({ state: 'WATCHING', attempts: 0 });
    expect(await attention()).toEqual([]);
  });
});

it('retries when the RPC does not respond, and asks for a person when that continues', async () => {
  await issuedAndRevoked(50n);
  on.chain.net.pause('unreachable');
  await on.tick();
  expect(await row()).toMatchObject({ state: 'REVOKING', attempts: 1, lease_owner: null });
  expect(Number((await row()).due_at) - on.clock.now()).toBe(1_000);
  expect(await attention()).toEqual([]);
  for (const _ of [1, 2]) await on.tickAfter(60);
  expect(await attention()).toEqual(['credentials']);
  on.chain.net.resume();
  on.clock.pass(60);
  await expectSettledAfter(tickTwice);
  expect(await attention()).toEqual([]);
});
