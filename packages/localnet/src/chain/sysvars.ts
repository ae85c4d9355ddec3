import type { Address } from '@solana/kit';
import type { AccountState } from './account-versions.ts';
import { CLOCK_SYSVAR } from './addresses.ts';
import { LAMPORTS_PER_SIGNATURE } from './fees.ts';
import type { Slots } from './slots.ts';

const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111' as Address;
const SLOT_HASHES_SYSVAR = 'SysvarS1otHashes111111111111111111111111111' as Address;
const RECENT_BLOCKHASHES_SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111' as Address;

const SLOT_HASHES_KEPT = 512;
const RECENT_BLOCKHASHES_KEPT = 150;

/** The sysvars that change with every slot, each with a function that returns its data at a slot. */
const WRITERS = new Map<Address, (slots: Slots, slot: bigint) => Uint8Array>([
  [CLOCK_SYSVAR, clockData],
  [SLOT_HASHES_SYSVAR, slotHashesData],
  [RECENT_BLOCKHASHES_SYSVAR, recentBlockhashesData],
]);

export const SLOT_SYSVARS: readonly Address[] = [...WRITERS.keys()];

/** Returns a sysvar that changes with every slot, at a slot. Returns undefined for any other account. */
export function slotSysvar(address: Address, slots: Slots, slot: bigint): AccountState | undefined {
  const write = WRITERS.get(address);
  return write && { lamports: 1n, data: write(slots, slot), owner: SYSVAR_OWNER, executable: false };
}

function clockData(slots: Slots, slot: bigint): Uint8Array {
  const epoch = slots.epochOf(slot);
  const { view, data } = buffer(40);
  view.setBigUint64(0, slot, true);
  view.setBigInt64(8, BigInt(slots.epochStart(epoch)), true);
  view.setBigUint64(16, epoch, true);
  view.setBigUint64(24, epoch + 1n, true);
  view.setBigInt64(32, BigInt(slots.timeOf(slot) ?? 0), true);
  return data;
}

function slotHashesData(slots: Slots, slot: bigint): Uint8Array {
  const { view, data } = buffer(8 + SLOT_HASHES_KEPT * 40);
  const hashes = slots.hashesBefore(slot, SLOT_HASHES_KEPT);
  view.setBigUint64(0, BigInt(hashes.length), true);
  hashes.forEach((entry, index) => {
    view.setBigUint64(8 + index * 40, entry.slot, true);
    data.set(entry.hash, 16 + index * 40);
  });
  return data;
}

function recentBlockhashesData(slots: Slots, slot: bigint): Uint8Array {
  const hashes = slots.hashesBefore(slot, RECENT_BLOCKHASHES_KEPT);
  const { view, data } = buffer(8 + hashes.length * 40);
  view.setBigUint64(0, BigInt(hashes.length), true);
  hashes.forEach((entry, index) => {
    data.set(entry.hash, 8 + index * 40);
    view.setBigUint64(40 + index * 40, LAMPORTS_PER_SIGNATURE, true);
  });
  return data;
}

function buffer(length: number) {
  const data = new Uint8Array(length);
  return { data, view: new DataView(data.buffer) };
}
