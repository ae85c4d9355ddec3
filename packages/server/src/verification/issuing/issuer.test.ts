import { MAX_CREDENTIAL_DELAY_SECONDS } from '@service/protocol';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { issuerOnChain } from '../../../test/support/verification/issuer-on-chain.ts';
import { transition } from '../../database/transition.ts';
import { issuerStep } from './issuer.ts';

const on = issuerOnChain();
let sessionId: string;

beforeEach(async () => {
  await on.reset();
  on.rpc.calls = [];
  sessionId = await on.queued();
});

const session = () => on.session(sessionId);
const failed = (failure: unknown) => ({ state: 'FAILED', failure });
const balanceOf = async (address: Address) =>
  (await on.chain.net.rpc.getBalance(address, { commitment: 'processed' }).send()).value;
/** Finalizes what landed, and expects that the issuer then finds the credential on chain. */
async function expectIssued(): Promise<void> {
  await on.finalizeAndTick();
  expect(await session()).toMatchObject({ state: 'ISSUED' });
}
/** Takes the session out of the queue. */
const finish = () =>
  transition(on.database.db, { table: 'verification_session', id: sessionId, from: 'ISSUING', to: 'FAILED' });
/** Gives the session's lease to another process. */
const leaseTo = (owner: string) =>
  on.database.db
    .updateTable('verification_session')
    .set({ lease_owner: owner, lease_until: BigInt(on.clock.now() + 30_000) })
    .where('id', '=', sessionId)
    .execute();

describe('issuing', () => {
  it('puts the credential on chain at the service’s cost, and is ISSUED only when it is finalized', async () => {
    const feePayer = on.service.service.feePayer.address;
    const funds = await balanceOf(feePayer);
    await on.tick();
    expect(await session()).toMatchObject({ state: 'ISSUING', sent_signature: expect.any(String) });
    expect((await on.credential('processed'))?.issuedAt).toBe(on.clock.seconds);
    on.chain.net.advanceSlots();
    expect(await on.credential('confirmed')).not.toBeNull();
    expect(await on.credential()).toBeNull();
    await on.tick();
    expect(await session()).toMatchObject({ state: 'ISSUING' });

    await on.finalizeAndTick();

    expect(await session()).toMatchObject({ state: 'ISSUED', lease_owner: null });
    expect(await on.credential()).toMatchObject({
      wallet: on.wallet,
      verifier: await on.chain.addresses.verifier(on.chain.keys.verifier.address),
      commitment: new Uint8Array((await session()).commitment!),
      expiresAt: on.clock.seconds + 10_000n,
      revoked: false,
    });
    expect(await on.landed()).toHaveLength(1);
    expect(await balanceOf(feePayer)).toBeLessThan(funds);
  });

  it('replaces an older credential of the wallet', async () => {
    await on.chain.credential(on.wallet, on.times(5n, 50n));
    await on.finalizeAndTick();
    await expectIssued();
    expect((await on.credential())?.issuedAt).toBe(on.clock.seconds);
  });

  it('replaces a credential of another verifier only after that has expired', async () => {
    await finish();
    const other = await generateKeyPairSigner();
    await on.chain.setVerifier(true, other.address);
    await on.chain.credential(on.wallet, on.times(5n, 2n));
    on.chain.net.finalize();
    const early = await on.queued(undefined, other);
    await on.tick();
    expect(await on.session(early)).toMatchObject(failed(expect.stringContaining('6022')));

    on.pass(2);
    const late = await on.queued(undefined, other);
    await on.tick();
    await on.finalizeAndTick();
    expect((await on.session(late)).state).toBe('ISSUED');
    expect((await on.credential())?.verifier).toBe(await on.chain.addresses.verifier(other.address));
  });

  it('sends nothing when the credential is already on chain', async () => {
    await on.chain.credential(on.wallet, on.times());
    await expectIssued();
    expect(on.sends()).toBe(0);
  });

  it('waits when the same credential is on chain but not finalized', async () => {
    // This happens when the node that is asked at finalized is behind the node that simulates.
    await on.chain.credential(on.wallet, on.times());
    expect(await on.credential('confirmed')).not.toBeNull();
    expect(await on.credential()).toBeNull();
    await on.tick();
    expect(await session()).toMatchObject({ state: 'ISSUING', attempts: 0, last_error: null });
    await expectIssued();
    expect(on.sends()).toBe(0);
  });

  it('sends once when several processes run at once', async () => {
    await Promise.all([on.tick(), on.tick(), on.tick()]);
    expect(on.sends()).toBe(1);
    await on.finalizeAndTick();
    expect(await on.landed()).toHaveLength(1);
  });
});

describe('a crash', () => {
  it('before the transaction is sent: the same bytes are sent later', async () => {
    on.breakSends('before');
    await on.tick();
    const { sent_signature: stored } = await session();
    expect(stored).not.toBeNull();
    expect(await on.credential('processed')).toBeNull();

    on.recover();
    await on.tickAfter(1);
    await on.finalizeAndTick();
    expect(await session()).toMatchObject({ state: 'ISSUED', sent_signature: stored });
    expect((await on.landed()).map(({ signature }) => signature)).toEqual([stored]);
  });

  it('after it is sent, before the response: it is not sent again', async () => {
    on.breakSends('after');
    await on.tick();
    expect(await session()).toMatchObject({ state: 'ISSUING' });
    on.recover();
    await on.tickAfter(1);
    await expectIssued();
    expect(await on.landed()).toHaveLength(1);
  });

  it('of the process with the lease: another process continues when the lease expires', async () => {
    await leaseTo('dead');
    await on.tick();
    expect((await session()).sent_signature).toBeNull();
    await on.tickAfter(30);
    expect((await session()).sent_signature).not.toBeNull();
  });

  it('or a pause that loses the lease: the process sends and changes nothing afterwards', async () => {
    on.rpc.before = (method) => {
      if (method !== 'simulateTransaction') return;
      // Another process leases the session during the call.
      on.rpc.before = () => undefined;
      return leaseTo('another');
    };
    await on.tick();
    expect(on.sends()).toBe(0);
    expect(await session()).toMatchObject({ sent_signature: null, lease_owner: 'another', attempts: 0 });
  });
});

describe('a transaction that does not land', () => {
  it('is sent again as the same bytes while it can land, and is replaced only after that', async () => {
    on.chain.net.dropTransactions(true);
    await on.tick();
    const first = await session();
    on.chain.net.advanceSlots(100);
    await on.tick();
    expect((await session()).sent_signature).toBe(first.sent_signature);
    expect(on.sends()).toBe(2);

    // The finalized block height reaches the last valid height, but does not pass it.
    const height = await on.chain.net.rpc.getBlockHeight({ commitment: 'finalized' }).send();
    on.chain.net.advanceSlots(Number(first.sent_last_valid! - height));
    await on.tick();
    expect((await session()).sent_signature).toBe(first.sent_signature);
    on.chain.net.advanceSlots(1);
    await on.tick();
    expect(await session()).toMatchObject({ sent_signature: null, attempts: 1 });

    on.chain.net.dropTransactions(false);
    await on.tickAfter(1);
    expect((await session()).sent_signature).not.toBe(first.sent_signature);
    await expectIssued();
    expect(await on.landed()).toHaveLength(1);
  });
});

describe('a rejection', () => {
  it('that is permanent ends the session: a later credential is on chain', async () => {
    await on.chain.credential(on.wallet, on.times(-1n, 50n));
    await on.finalizeAndTick();
    expect(await session()).toMatchObject(failed(expect.stringContaining('same time or later')));
    expect(on.sends()).toBe(0);
  });

  it('that is permanent ends the session: the verifier was deactivated', async () => {
    await on.chain.setVerifier(false);
    await on.tick();
    await on.chain.setVerifier(true);
    expect(await session()).toMatchObject(failed('The verifier is not active (6017).'));
    expect(on.sends()).toBe(0);
  });

  it('that is permanent and occurs only on chain ends the session', async () => {
    // The verifier is deactivated between simulation and landing.
    on.chain.net.dropTransactions(true);
    await on.tick();
    on.chain.net.dropTransactions(false);
    await on.chain.setVerifier(false);
    await on.tick();
    await on.finalizeAndTick();
    await on.chain.setVerifier(true);
    expect(await session()).toMatchObject(failed(expect.stringContaining('6017')));
    expect((await on.landed())[0]?.err).not.toBeNull();
  });

  it('that is temporary is retried with growing delays', async () => {
    const early = await on.queued(on.times(-301n, 900n));
    const due = async () => Number((await on.session(early)).due_at) - on.clock.now();
    await on.tick();
    expect(await on.session(early)).toMatchObject({
      state: 'ISSUING',
      attempts: 1,
      last_error: expect.stringContaining('6020'),
    });
    expect(await due()).toBe(1_000);
    on.rpc.calls = [];
    await on.tick();
    expect(on.rpc.calls).not.toContain('simulateTransaction');
    await on.tickAfter(1);
    expect(await due()).toBe(2_000);
    on.pass(300);
    await on.tick();
    expect((await on.session(early)).sent_signature).not.toBeNull();
  });

  it('for lack of SOL names the fee payer', async () => {
    const feePayer = await generateKeyPairSigner();
    const step = () => issuerStep({ ...on.service.service, feePayer }, AbortSignal.timeout(10_000));
    const reason = `The fee payer ${feePayer.address} has too little SOL. Send SOL to it.`;
    await step();
    expect(await session()).toMatchObject({ state: 'ISSUING', attempts: 1, last_error: reason });
    // Enough for the fee payer's account and the fee, but not for the rent of a credential.
    on.chain.net.airdrop(feePayer.address, 1_000_000n);
    on.clock.pass(1);
    await step();
    expect(await session()).toMatchObject({ state: 'ISSUING', attempts: 2, last_error: reason });
  });

  it('that continues until the credential expires ends the session', async () => {
    const short = await on.queued(on.times(0n, 2n));
    on.rpc.before = (method) => {
      if (method === 'simulateTransaction') throw new TypeError('fetch failed');
    };
    await on.tick();
    expect(await on.session(short)).toMatchObject({ state: 'ISSUING', attempts: 1 });
    await on.tickAfter(2);
    expect(await on.session(short)).toMatchObject(failed(expect.stringContaining('expired')));
  });

  it('that continues until the credential is too old for the program ends the session', async () => {
    const old = await on.queued(on.times(MAX_CREDENTIAL_DELAY_SECONDS, 900n));
    on.rpc.before = (method) => {
      if (method === 'simulateTransaction') throw new TypeError('fetch failed');
    };
    await on.tick();
    expect(await on.session(old)).toMatchObject({ state: 'ISSUING', attempts: 1 });
    await on.tickAfter(1);
    const failure = 'The credential was signed too long ago to be put on chain. Verify again.';
    expect(await on.session(old)).toMatchObject(failed(failure));
  });
});

it('continues when the RPC responds again', async () => {
  on.chain.net.pause('unreachable');
  await on.tick();
  expect(await session()).toMatchObject({ state: 'ISSUING', attempts: 1, lease_owner: null });
  on.chain.net.resume();
  await on.tickAfter(1);
  await expectIssued();
});
