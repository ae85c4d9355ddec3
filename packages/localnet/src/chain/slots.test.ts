import { beforeEach, describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

const OPTIONS = { genesisSlot: 1000n, confirmSlots: 1, finalitySlots: 32, now: () => now };

let now: number;
let slots: Slots;

beforeEach(() => {
  now = 50_000;
  slots = new Slots({ ...OPTIONS, runNonce: new Uint8Array(32) });
});

function passSlots(count: number): void {
  for (let passed = 0; passed < count; passed++) slots.next();
}

describe('Slots', () => {
  it('opens the slot after genesis and never reads an earlier one', () => {
    expect(slots.open).toBe(1001n);
    const readable = (['processed', 'confirmed', 'finalized'] as const).map((at) => slots.at(at));
    expect(readable).toEqual([1001n, 1000n, 1000n]);
  });

  it('confirms after one slot and finalizes after finalitySlots', () => {
    slots = new Slots({ ...OPTIONS, finalitySlots: 8, runNonce: new Uint8Array(32) });
    const slot = slots.open;
    expect(slots.commitmentOf(slot)).toBe('processed');
    slots.next();
    expect(slots.commitmentOf(slot)).toBe('confirmed');
    passSlots(6);
    expect(slots.commitmentOf(slot)).toBe('confirmed');
    slots.next();
    expect(slots.commitmentOf(slot)).toBe('finalized');
  });

  it('accepts a blockhash for exactly 150 slots after its own', () => {
    const { blockhash, lastValidBlockHeight } = slots.latestBlockhash(slots.open);
    passSlots(150);
    expect(slots.heightOf(slots.open)).toBe(lastValidBlockHeight);
    expect(slots.isBlockhashValid(blockhash)).toBe(true);
    slots.next();
    expect(slots.isBlockhashValid(blockhash)).toBe(false);
  });

  it('rejects a blockhash at a slot before its own', () => {
    slots.next();
    const { blockhash } = slots.latestBlockhash(slots.open);
    expect(slots.isBlockhashValid(blockhash, slots.open)).toBe(true);
    expect(slots.isBlockhashValid(blockhash, slots.open - 1n)).toBe(false);
  });

  it('makes different blockhashes in another run of the same cluster', () => {
    const another = new Slots({ ...OPTIONS, runNonce: new Uint8Array(32).fill(1) });
    expect(another.latestBlockhash(1001n).blockhash).not.toBe(slots.latestBlockhash(1001n).blockhash);
  });

  it('stores which message landed in which slot', () => {
    const { blockhash } = slots.latestBlockhash(slots.open);
    slots.next();
    slots.markLanded(blockhash, 'hash');
    expect(slots.hasLanded(blockhash, 'hash')).toBe(true);
    expect(slots.hasLanded(blockhash, 'hash', slots.open - 1n)).toBe(false);
    expect(slots.hasLanded(blockhash, 'other')).toBe(false);
  });

  it('follows the wall clock from the time that was set', () => {
    expect(slots.timeOf(slots.open)).toBe(50);
    slots.setTime(1_000);
    expect(slots.timeOf(slots.open)).toBe(1_000);
    expect(slots.timeOf(slots.open - 1n)).toBe(50);
    now += 7_900;
    slots.next();
    expect(slots.timeOf(slots.open)).toBe(1_007);
  });

  it('lists the hashes before a slot, newest first', () => {
    passSlots(3000);
    const seen = slots.hashesBefore(slots.open - 32n, 512);
    expect(seen).toHaveLength(512);
    expect(seen[0]!.slot).toBe(slots.open - 33n);
    expect(seen.at(-1)!.slot).toBe(slots.open - 33n - 511n);
  });
});
