import { randomUUID } from 'node:crypto';
import { credentialMessage, readAccount } from '@service/protocol';
import { type Address, type Commitment, generateKeyPairSigner, signBytes } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StillClock, TestChain } from '../../../test/support/chain-index/chain.ts';
import type { TestService } from '../../../test/support/read-service.ts';
import { type AroundCalls, startOnFailingRpc } from '../../../test/support/verification/failing-rpc.ts';
import { addIssuingSession } from '../../../test/support/verification/sessions.ts';
import type { Database } from '../../database/open.ts';
import { transition } from '../../database/transition.ts';
import { startCredentialIssuer } from '../index.ts';
import { issuerStep } from './issuer.ts';

let started: Awaited<ReturnType<typeof startOnFailingRpc>>;
let clock: StillClock;
let chain: TestChain;
let database: Database;
let service: TestService;
let wallet: Address;
let sessionId: string;
let rpc: AroundCalls;

beforeAll(async () => {
  started = await startOnFailingRpc();
  ({ clock, chain, database, service, rpc } = started);
});
afterAll(() => started.close());
beforeEach(async () => {
  rpc.before = () => undefined;
  rpc.after = () => undefined;
  rpc.calls = [];
  wallet = (await generateKeyPairSigner()).address;
  sessionId = await queued();
});

/** A session whose credential is accepted and queued. */
async function queued(
  times = { issuedAt: clock.seconds, expiresAt: clock.seconds + 10_000n },
  verifier = chain.keys.verifier,
): Promise<string> {
  const id = randomUUID();
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

/** Takes the session of the test out of the way. */
const finish = () =>
  transition(database.db, { table: 'verification_session', id: sessionId, from: 'ISSUING', to: 'FAILED' });
const tick = () => startCredentialIssuer(service.service).tick();
const session = (id = sessionId) =>
  database.db.selectFrom('verification_session').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const onChain = async (commitment: Commitment = 'finalized') =>
  readAccount(
    { rpc: chain.net.rpc as never, program: chain.program, commitment },
    'credential',
    await chain.addresses.credential(wallet),
  );
/** Transactions that ever landed for this wallet's credential. */
const landed = async () =>
  chain.net.rpc
    .getSignaturesForAddress(await chain.addresses.credential(wallet), { commitment: 'confirmed' })
    .send();

describe('issuing', () => {
  it('puts the credential on chain, paid by the service, and is done only when it is final', async () => {
    const feePayer = service.service.feePayer.address;
    const { value: funds } = await chain.net.rpc.getBalance(feePayer, { commitment: 'processed' }).send();
    await tick();
    expect(await session()).toMatchObject({ state: 'ISSUING', sent_signature: expect.any(String) });
    expect((await onChain('processed'))?.data.issuedAt).toBe(clock.seconds);
    chain.net.advanceSlots();
    expect(await onChain('confirmed')).not.toBeNull();
    expect(await onChain()).toBeNull();
    await tick();
    expect((await session()).state).toBe('ISSUING');

    chain.net.finalize();
    await tick();

    expect(await session()).toMatchObject({ state: 'ISSUED', lease_owner: null });
    expect((await onChain())?.data).toMatchObject({
      wallet,
      verifier: await chain.addresses.verifier(chain.keys.verifier.address),
      commitment: new Uint8Array((await session()).commitment!),
      expiresAt: clock.seconds + 10_000n,
      revoked: false,
    });
    expect(await landed()).toHaveLength(1);
    const { value: left } = await chain.net.rpc.getBalance(feePayer, { commitment: 'processed' }).send();
    expect(left).toBeLessThan(funds);
  });

  it('replaces an older credential of the wallet', async () => {
    await chain.credential(wallet, { issuedAt: clock.seconds - 5n, expiresAt: clock.seconds + 50n });
    chain.net.finalize();
    await tick();
    chain.net.finalize();
    await tick();
    expect((await session()).state).toBe('ISSUED');
    expect((await onChain())?.data.issuedAt).toBe(clock.seconds);
  });

  it('replaces one of another verifier only once that has expired', async () => {
    await finish();
    const other = await generateKeyPairSigner();
    await chain.setVerifier(true, other.address);
    await chain.credential(wallet, { issuedAt: clock.seconds - 5n, expiresAt: clock.seconds + 2n });
    chain.net.finalize();
    const early = await queued(undefined, other);
    await tick();
    expect(await session(early)).toMatchObject({ state: 'FAILED', failure: expect.stringContaining('6022') });

    clock.pass(2);
    chain.net.advanceSlots(3);
    const late = await queued(undefined, other);
    await tick();
    chain.net.finalize();
    await tick();
    expect((await session(late)).state).toBe('ISSUED');
    expect((await onChain())?.data.verifier).toBe(await chain.addresses.verifier(other.address));
  });

  it('sends nothing when the credential is there already', async () => {
    await chain.credential(wallet, { issuedAt: clock.seconds, expiresAt: clock.seconds + 10_000n });
    chain.net.finalize();
    await tick();
    expect((await session()).state).toBe('ISSUED');
    expect(rpc.calls).not.toContain('sendTransaction');
  });

  it('waits for the same credential that came there in another way and is not final yet', async () => {
    // As when the node that was asked for what is final is behind the one that simulates.
    await chain.credential(wallet, { issuedAt: clock.seconds, expiresAt: clock.seconds + 10_000n });
    expect(await onChain('confirmed')).not.toBeNull();
    expect(await onChain()).toBeNull();
    await tick();
    expect(await session()).toMatchObject({ state: 'ISSUING', attempts: 0, last_error: null });
    chain.net.finalize();
    await tick();
    expect((await session()).state).toBe('ISSUED');
    expect(rpc.calls).not.toContain('sendTransaction');
  });

  it('is done by one of several processes at once', async () => {
    await Promise.all([tick(), tick(), tick()]);
    expect(rpc.calls.filter((method) => method === 'sendTransaction')).toHaveLength(1);
    chain.net.finalize();
    await tick();
    expect(await landed()).toHaveLength(1);
  });
});

describe('a crash', () => {
  it('before the transaction left: the same bytes go out afterwards', async () => {
    rpc.before = (method) => {
      if (method === 'sendTransaction') throw new TypeError('fetch failed');
    };
    await tick();
    const { sent_signature: stored } = await session();
    expect(stored).not.toBeNull();
    expect(await onChain('processed')).toBeNull();

    rpc.before = () => undefined;
    clock.pass(1);
    await tick();
    chain.net.finalize();
    await tick();
    expect(await session()).toMatchObject({ state: 'ISSUED', sent_signature: stored });
    expect((await landed()).map(({ signature }) => signature)).toEqual([stored]);
  });

  it('after it left, before anybody knew: it is not sent a second time', async () => {
    rpc.after = (method) => {
      if (method === 'sendTransaction') throw new TypeError('fetch failed');
    };
    await tick();
    expect((await session()).state).toBe('ISSUING');
    rpc.after = () => undefined;
    clock.pass(1);
    await tick();
    chain.net.finalize();
    await tick();
    expect((await session()).state).toBe('ISSUED');
    expect(await landed()).toHaveLength(1);
  });

  it('of the process that held the lease: another takes over when the lease has run out', async () => {
    await database.db
      .updateTable('verification_session')
      .set({ lease_owner: 'dead', lease_until: BigInt(clock.now() + 30_000) })
      .where('id', '=', sessionId)
      .execute();
    await tick();
    expect((await session()).sent_signature).toBeNull();
    clock.pass(30);
    await tick();
    expect((await session()).sent_signature).not.toBeNull();
  });

  it('or a pause that lost the lease: the one who was away sends nothing and changes nothing', async () => {
    rpc.before = (method) => {
      if (method !== 'simulateTransaction') return;
      // While it was away another took the session.
      rpc.before = () => undefined;
      return database.db
        .updateTable('verification_session')
        .set({ lease_owner: 'another', lease_until: BigInt(clock.now() + 30_000) })
        .where('id', '=', sessionId)
        .execute();
    };
    await tick();
    expect(rpc.calls).not.toContain('sendTransaction');
    expect(await session()).toMatchObject({ sent_signature: null, lease_owner: 'another', attempts: 0 });
  });
});

describe('a transaction that does not land', () => {
  it('goes out again as the same bytes while it can, and anew only when it cannot any more', async () => {
    chain.net.dropTransactions(true);
    await tick();
    const first = await session();
    chain.net.advanceSlots(100);
    await tick();
    expect((await session()).sent_signature).toBe(first.sent_signature);
    expect(rpc.calls.filter((method) => method === 'sendTransaction')).toHaveLength(2);

    // Its last height is reached, but not passed, by the finalized slot.
    const height = await chain.net.rpc.getBlockHeight({ commitment: 'finalized' }).send();
    chain.net.advanceSlots(Number(first.sent_last_valid! - height));
    await tick();
    expect((await session()).sent_signature).toBe(first.sent_signature);
    chain.net.advanceSlots(1);
    await tick();
    expect(await session()).toMatchObject({ sent_signature: null, attempts: 1 });

    chain.net.dropTransactions(false);
    clock.pass(1);
    await tick();
    expect((await session()).sent_signature).not.toBe(first.sent_signature);
    chain.net.finalize();
    await tick();
    expect((await session()).state).toBe('ISSUED');
    expect(await landed()).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it('for good ends the session: a credential issued later is there', async () => {
    await chain.credential(wallet, { issuedAt: clock.seconds + 1n, expiresAt: clock.seconds + 50n });
    chain.net.finalize();
    await tick();
    expect(await session()).toMatchObject({
      state: 'FAILED',
      failure: expect.stringContaining('same time or later'),
    });
    expect(rpc.calls).not.toContain('sendTransaction');
  });

  it('for good ends the session: the verifier was deactivated since', async () => {
    await chain.setVerifier(false);
    await tick();
    await chain.setVerifier(true);
    expect(await session()).toMatchObject({
      state: 'FAILED',
      failure: 'The verifier is not active (6017).',
    });
    expect(rpc.calls).not.toContain('sendTransaction');
  });

  it('for good, found only on chain, ends the session too', async () => {
    // Between simulation and landing the verifier is deactivated.
    chain.net.dropTransactions(true);
    await tick();
    chain.net.dropTransactions(false);
    await chain.setVerifier(false);
    await tick();
    chain.net.finalize();
    await tick();
    await chain.setVerifier(true);
    expect(await session()).toMatchObject({ state: 'FAILED', failure: expect.stringContaining('6017') });
    expect((await landed())[0]?.err).not.toBeNull();
  });

  it('for now is tried again, less and less often', async () => {
    const early = await queued({ issuedAt: clock.seconds + 301n, expiresAt: clock.seconds + 900n });
    const due = async () => Number((await session(early)).due_at) - clock.now();
    await tick();
    expect(await session(early)).toMatchObject({
      state: 'ISSUING',
      attempts: 1,
      last_error: expect.stringContaining('6020'),
    });
    expect(await due()).toBe(1_000);
    rpc.calls = [];
    await tick();
    expect(rpc.calls).not.toContain('simulateTransaction');
    clock.pass(1);
    await tick();
    expect(await due()).toBe(2_000);
    clock.pass(300);
    chain.net.advanceSlots(3);
    await tick();
    expect((await session(early)).sent_signature).not.toBeNull();
  });

  it('for want of SOL names the fee payer', async () => {
    const feePayer = await generateKeyPairSigner();
    const step = () => issuerStep({ ...service.service, feePayer }, AbortSignal.timeout(10_000));
    const reason = `The fee payer ${feePayer.address} does not have enough SOL. Send it SOL.`;
    await step();
    expect(await session()).toMatchObject({ state: 'ISSUING', attempts: 1, last_error: reason });
    // Enough to be there and for the fee, and not for the rent of a credential.
    chain.net.airdrop(feePayer.address, 1_000_000n);
    clock.pass(1);
    await step();
    expect(await session()).toMatchObject({ state: 'ISSUING', attempts: 2, last_error: reason });
  });

  it('that lasts until the credential expires ends the session', async () => {
    const short = await queued({ issuedAt: clock.seconds, expiresAt: clock.seconds + 2n });
    rpc.before = (method) => {
      if (method === 'simulateTransaction') throw new TypeError('fetch failed');
    };
    await tick();
    expect(await session(short)).toMatchObject({ state: 'ISSUING', attempts: 1 });
    clock.pass(2);
    await tick();
    expect(await session(short)).toMatchObject({
      state: 'FAILED',
      failure: expect.stringContaining('expired'),
    });
  });
});

it('goes on when the chain can be asked again, and one that fails holds up no other', async () => {
  chain.net.pause('unreachable');
  await tick();
  expect(await session()).toMatchObject({ state: 'ISSUING', attempts: 1, lease_owner: null });
  chain.net.resume();
  clock.pass(1);
  await tick();
  chain.net.finalize();
  await tick();
  expect((await session()).state).toBe('ISSUED');
});
