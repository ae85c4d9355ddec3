import { getBase58Encoder } from '@solana/kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { net, other, useCluster } from '../test/support/cluster.ts';
import { memoInstruction, SOL, stillLocalnet } from '../test/support/index.ts';
import { CLOCK_SYSVAR } from './chain/addresses.ts';
import { Localnet } from './index.ts';

useCluster();
afterEach(() => vi.useRealTimers());

async function clockTimeOf(net: Localnet): Promise<bigint> {
  const config = { commitment: 'processed', encoding: 'base64' } as const;
  const { value } = await net.rpc.getAccountInfo(CLOCK_SYSVAR, config).send();
  return Buffer.from(value!.data[0], 'base64').readBigInt64LE(32);
}

describe('slots', () => {
  it('pass on a timer, one every slotMs', async () => {
    vi.useFakeTimers();
    const net = Localnet.start({ slotMs: 400 });
    const before = net.slot;
    vi.advanceTimersByTime(400 * 7 + 100);
    expect(net.slot).toBe(before + 7n);
    await net.stop();
    vi.advanceTimersByTime(4_000);
    expect(net.slot).toBe(before + 7n);
  });

  it('are caught up after the process was blocked', async () => {
    vi.useFakeTimers();
    const net = Localnet.start({ slotMs: 400 });
    const before = net.slot;
    vi.setSystemTime(Date.now() + 4_000);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 4_000);
    vi.advanceTimersToNextTimer();
    expect(net.slot).toBeGreaterThanOrEqual(before + 10n);
    vi.restoreAllMocks();
    await net.stop();
  });

  it('pass only by advanceSlots in a manual cluster', async () => {
    expect(net.slot).toBe(1001n);
    net.advanceSlots();
    net.advanceSlots(9);
    expect(net.slot).toBe(1011n);
  });

  it('differ from block heights, as on a real cluster', async () => {
    const { absoluteSlot, blockHeight } = await net.rpc.getEpochInfo({ commitment: 'processed' }).send();
    expect([absoluteSlot, blockHeight]).toEqual([1001n, 1n]);
    const { value } = await net.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
    expect(value.lastValidBlockHeight).toBe(151n);
  });

  it.each([
    [{ confirmSlots: 0 }],
    [{ confirmSlots: 5, finalitySlots: 4 }],
    [{ finalitySlots: 513 }],
    [{ finalitySlots: 1.5 }],
    [{ slotMs: 0 }],
    [{ slotMs: Number.NaN }],
  ])('reject invalid options: %o', (options) => {
    expect(() => Localnet.start(options)).toThrow(RangeError);
  });

  it('only go forward, and time is in whole seconds', () => {
    expect(() => net.advanceSlots(-1)).toThrow(RangeError);
    expect(() => net.advanceSlots(0.5)).toThrow(RangeError);
    expect(() => net.setTime(1.5)).toThrow(RangeError);
  });

  it('finalize transactions that have landed', async () => {
    const signature = await net.landMemo('hi');
    net.finalize();
    expect(await net.statusOf(signature)).toMatchObject({ confirmationStatus: 'finalized' });
  });
});

describe('time', () => {
  it('is the wall clock', () => {
    expect(net.time).toBe(1_700_000_000);
  });

  it('can be set for programs, and continues from there', async () => {
    let now = 1_700_000_000_000;
    const net = stillLocalnet({ now: () => now });
    net.setTime(2_000_000_000n);
    expect([net.time, await clockTimeOf(net)]).toEqual([2_000_000_000, 2_000_000_000n]);
    now += 90_000;
    expect(net.time).toBe(2_000_000_000);
    net.advanceSlots(1);
    expect([net.time, await clockTimeOf(net)]).toEqual([2_000_000_090, 2_000_000_090n]);
  });
});

describe('genesis', () => {
  it('is derived from the seed, which has a default', () => {
    expect(net.genesisHash).toBe('9MbUN3KKDAjaFBTgo7DcabKe9U8pMjeo3PJr1j54ews2');
    const { genesisHash } = stillLocalnet({ seed: 'other' });
    expect(genesisHash).not.toBe(net.genesisHash);
    expect(getBase58Encoder().encode(genesisHash)).toHaveLength(32);
  });

  it('can be given', async () => {
    const genesisHash = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
    expect(await stillLocalnet({ genesisHash }).rpc.getGenesisHash().send()).toBe(genesisHash);
    expect(() => stillLocalnet({ genesisHash: 'short' })).toThrow();
  });
});

describe('airdrop', () => {
  it('is visible at every commitment and keeps earlier changes', async () => {
    await net.landTransfer(SOL);
    net.airdrop(other, 5n * SOL);
    expect(await net.balanceOf(other)).toBe(6n * SOL);
    expect(await net.balanceOf(other, 'finalized')).toBe(5n * SOL);
    net.finalize();
    expect(await net.balanceOf(other, 'finalized')).toBe(6n * SOL);
  });
});

describe('dropTransactions', () => {
  it('returns the signature of a transaction that never lands', async () => {
    net.dropTransactions(true);
    const dropped = await net.signByPayer(memoInstruction('lost'));
    expect(await net.sendRaw(dropped)).toBe(dropped.signature);
    net.advanceSlots(40);
    expect(await net.statusOf(dropped.signature)).toBeNull();
    net.dropTransactions(false);
    await net.sendRaw(dropped);
    expect(await net.statusOf(dropped.signature)).not.toBeNull();
  });
});

it('rejects a call with an aborted signal', async () => {
  const abortSignal = AbortSignal.abort(new Error('enough'));
  await expect(net.rpc.getSlot().send({ abortSignal })).rejects.toThrow('enough');
});
