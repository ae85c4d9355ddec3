import {
  type Address,
  generateKeyPairSigner,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { beforeEach, expect, it } from 'vitest';
import { issuerOnChain } from '../../../test/support/verification/issuer-on-chain.ts';
import type { Settings } from '../../settings.ts';
import { issuerStep } from './issuer.ts';

const on = issuerOnChain();
const LAMPORTS = 5_500_000n;

beforeEach(async () => {
  await on.reset();
  on.rpc.calls = [];
  // The budget of an earlier test is over.
  on.pass(25 * 3_600);
});

/** Runs a step of a service that pays so much. */
function step(
  welcome: Settings['welcome'] = { lamports: LAMPORTS, dailyLamports: 100n * LAMPORTS },
  more = {},
) {
  const { service } = on.service;
  const settings = { ...service.settings, welcome };
  return issuerStep({ ...service, settings, ...more }, AbortSignal.timeout(10_000));
}

/** Runs steps until nothing changes any more. */
async function settle(welcome?: Settings['welcome']): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await step(welcome);
    on.chain.net.finalize();
    on.pass(61);
  }
  await step(welcome);
}

const balanceOf = async (address: Address) =>
  (await on.chain.net.rpc.getBalance(address, { commitment: 'finalized' }).send()).value;
/** Returns how many instructions a transaction has: two for the credential, and one that pays. */
function instructionsOf(wire: Uint8Array): number {
  const { messageBytes } = getTransactionDecoder().decode(new Uint8Array(wire));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  return message.version === 0 ? message.instructions.length : 0;
}

const stateOf = async (id: string) => (await on.session(id)).state;

it('pays in the transaction of the first credential, and nothing later', async () => {
  const first = await on.queued();
  await settle();
  expect(await stateOf(first)).toBe('ISSUED');
  expect(await balanceOf(on.wallet)).toBe(LAMPORTS);
  expect(await on.landed()).toHaveLength(1);
  on.pass(60);
  const second = await on.queued();
  await settle();
  expect(await stateOf(second)).toBe('ISSUED');
  expect(await balanceOf(on.wallet)).toBe(LAMPORTS);
});

it('pays nothing by default', async () => {
  const id = await on.queued();
  await on.tick();
  await on.finalizeAndTick();
  expect(await stateOf(id)).toBe('ISSUED');
  expect(await balanceOf(on.wallet)).toBe(0n);
});

it.each(['finalized', 'confirmed'])(
  'pays nothing if somebody else put a credential on chain, %s',
  async (at) => {
    await on.chain.credential(on.wallet, on.times(5n, 50n));
    if (at === 'finalized') on.chain.net.finalize();
    expect([(await on.credential('confirmed')) !== null, (await on.credential()) !== null]).toEqual([
      true,
      at === 'finalized',
    ]);
    const id = await on.queued();
    await settle();
    expect(await stateOf(id)).toBe('ISSUED');
    expect(await balanceOf(on.wallet)).toBe(0n);
  },
);

it('pays in one transaction only if two sessions of a wallet are put on chain at the same time', async () => {
  const ids = [await on.queued(on.times(5n)), await on.queued()];
  // None of the two transactions lands before both are made, by two workers.
  on.chain.net.dropTransactions(true);
  await Promise.all([step(), step()]);
  const rows = await Promise.all(ids.map((id) => on.session(id)));
  const paying = rows.filter(({ sent_transaction: wire }) => instructionsOf(wire!) === 3);
  expect([
    paying.length,
    rows.filter(({ sent_transaction: wire }) => instructionsOf(wire!) === 2).length,
  ]).toEqual([1, 1]);
  on.chain.net.dropTransactions(false);
  on.pass(1);
  await settle();
  expect(await on.credential()).not.toBeNull();
  // The older credential cannot follow the newer one, and then nothing is paid.
  expect([0n, LAMPORTS]).toContain(await balanceOf(on.wallet));
});

it('pays a later session of a wallet if the first one failed', async () => {
  const failed = await on.queued(on.times(0n, 2n));
  on.rpc.before = (method) => {
    if (method === 'simulateTransaction') throw new TypeError('fetch failed');
  };
  await step();
  on.pass(3);
  await step();
  expect(await stateOf(failed)).toBe('FAILED');
  on.rpc.before = () => undefined;
  const later = await on.queued();
  await settle();
  expect(await stateOf(later)).toBe('ISSUED');
  expect(await balanceOf(on.wallet)).toBe(LAMPORTS);
});

it('stays within the budget of 24 hours, also with two workers, and issues every credential', async () => {
  const wallets: Address[] = [];
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    on.wallet = (await generateKeyPairSigner()).address;
    wallets.push(on.wallet);
    ids.push(await on.queued());
  }
  const welcome = { lamports: LAMPORTS, dailyLamports: 3n * LAMPORTS - 1n };
  await Promise.all([step(welcome), step(welcome)]);
  on.chain.net.finalize();
  await settle(welcome);
  expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => 'ISSUED'));
  const paid = async () =>
    (await Promise.all(wallets.map(balanceOf))).filter((balance) => balance === LAMPORTS).length;
  expect(await paid()).toBe(2);
  on.pass(24 * 3_600);
  on.wallet = (await generateKeyPairSigner()).address;
  wallets.push(on.wallet);
  await on.queued();
  await settle(welcome);
  expect(await paid()).toBe(3);
});

it('counts a payment that was not made in 24 hours again, and issues the credential without it above the budget', async () => {
  const welcome = { lamports: LAMPORTS, dailyLamports: LAMPORTS };
  const late = await on.queued(on.times(0n, 200_000n));
  const lateWallet = on.wallet;
  on.chain.net.dropTransactions(true);
  await step(welcome);
  on.chain.net.dropTransactions(false);
  on.pass(25 * 3_600);
  on.chain.net.advanceSlots(200);
  on.wallet = (await generateKeyPairSigner()).address;
  const other = await on.queued();
  // The outage lasts for the first wallet.
  await on.service.service.db
    .updateTable('verification_session')
    .set({ due_at: 2n ** 62n })
    .where('id', '=', late)
    .execute();
  await settle(welcome);
  await on.service.service.db
    .updateTable('verification_session')
    .set({ due_at: 0n })
    .where('id', '=', late)
    .execute();
  await settle(welcome);
  expect([await stateOf(late), await stateOf(other)]).toEqual(['ISSUED', 'ISSUED']);
  expect([await balanceOf(lateWallet), await balanceOf(on.wallet)]).toEqual([0n, LAMPORTS]);
});

it('issues the credential without a payment that fails, and if the fee payer has too little', async () => {
  // Less than the minimum of an account.
  const failing = await on.queued();
  await settle({ lamports: 1_000n, dailyLamports: LAMPORTS });
  expect([await stateOf(failing), await balanceOf(on.wallet)]).toEqual(['ISSUED', 0n]);

  await on.reset();
  const feePayer = await generateKeyPairSigner();
  on.chain.net.airdrop(feePayer.address, 5_000_000n);
  const poor = await on.queued();
  const { shared: _, ...rest } = on.service.service;
  for (let round = 0; round < 2; round += 1) {
    const own = {
      ...rest,
      feePayer,
      shared: (_key: string, read: (signal: AbortSignal) => unknown) => read(AbortSignal.timeout(10_000)),
    };
    await step(undefined, own);
    on.chain.net.finalize();
    on.pass(61);
  }
  expect([await stateOf(poor), await balanceOf(on.wallet)]).toEqual(['ISSUED', 0n]);
});

it('pays exactly once if the process is killed before or after whatever call of the RPC', async () => {
  await on.queued();
  await settle();
  const { length: calls } = on.rpc.calls;
  expect(calls).toBeGreaterThan(6);
  for (const when of ['before', 'after'] as const) {
    for (let killed = 1; killed <= calls; killed += 1) {
      await on.reset();
      const id = await on.queued();
      let call = 0;
      on.rpc[when] = (_method: string, response?: unknown) => {
        call += 1;
        if (call === killed) throw new TypeError('killed');
        return response;
      };
      await settle();
      on.rpc[when] = (_method: string, response?: unknown) => response;
      await settle();
      expect([when, killed, await stateOf(id)]).toEqual([when, killed, 'ISSUED']);
      expect([when, killed, await balanceOf(on.wallet)]).toEqual([when, killed, LAMPORTS]);
    }
  }
});
