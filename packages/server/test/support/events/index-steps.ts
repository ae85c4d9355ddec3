/** Steps of the index with accounts that a test makes, without a chain. */
import { SYSTEM_PROGRAM } from '@service/protocol';
import { getConfigEncoder, getCredentialEncoder, getPassEncoder } from '@service/protocol/generated';
import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { accountEntry } from '../../../src/chain-index/accounts/account-entry.ts';
import { advance, columnsOf, readPosition } from '../../../src/chain-index/position.ts';
import type { Database } from '../../../src/database/database.ts';
import { randomAddress } from '../service-on-chain.ts';

/** The program of the steps. */
export const PROGRAM = randomAddress();

/** An account that a step reads. */
export interface ReadAccount {
  readonly address: Address;
  readonly bytes: ReadonlyUint8Array;
}

/** What a step reads. A full reading also says which accounts are gone; one by slices may have some left. */
export interface StepReading {
  readonly slicesLeft?: number;
  readonly accounts?: readonly ReadAccount[];
  readonly gone?: readonly Address[];
  readonly full?: boolean;
}

/** Runs a step at a chain time in Unix seconds. `db` may be that of another process. */
export async function indexAt(
  { db }: Pick<Database, 'db'>,
  time: bigint,
  { accounts = [], gone = [], full = false, slicesLeft = 0 }: StepReading = {},
): Promise<boolean> {
  const from = await readPosition(db);
  const slot = (from?.slot ?? 0n) + 1n;
  const entries = accounts.map(
    ({ address, bytes }) =>
      accountEntry(PROGRAM, { address, owner: PROGRAM, lamports: 1n, data: Buffer.from(bytes) }, slot)!,
  );
  const found = new Set(accounts.map(({ address }) => address));
  const rows = full ? await db.selectFrom('indexed_account').select('address').execute() : [];
  const others = rows.map(({ address }) => address).filter((address) => !found.has(address));
  return advance(db, {
    settings: { program: PROGRAM },
    from,
    to: {
      ...columnsOf(undefined),
      ...(slicesLeft > 0 ? { slices_left: slicesLeft, target_slot: slot, target_time: time } : {}),
      slot,
      time,
      read_slot: slot,
      signature: null,
      settled_slot: slot,
      reconciled_at: time,
    },
    reading: { slot, entries, gone: [...gone, ...others] },
    recent: [],
  });
}

const [rule, circuit, verifier] = [randomAddress(), randomAddress(), randomAddress()];

/** Returns the account of a pass. */
export function passAccount(
  wallet: Address,
  fields: {
    address?: Address;
    issuedAt: bigint;
    expiresAt: bigint;
    isEnded?: boolean;
    /** Whether the creator of the rule set granted it, or opened it to suspend the wallet. */
    opened?: 'granted' | 'suspended';
    /** @default 0, or for ever if it was opened to suspend the wallet */
    suspendedUntil?: bigint;
  },
): ReadAccount {
  const { address = randomAddress(), issuedAt, expiresAt, isEnded = false, opened } = fields;
  const { suspendedUntil = opened === 'suspended' ? 2n ** 64n - 1n : 0n } = fields;
  const commitment = new Uint8Array(32).fill(isEnded || opened ? 0 : 1);
  const proved = opened ? { circuit: SYSTEM_PROGRAM, verifier: SYSTEM_PROGRAM } : { circuit, verifier };
  const byCreator = { granted: opened === 'granted', suspendedUntil };
  const pass = { bump: 255, rule, wallet, issuedAt, expiresAt, commitment, ...proved, ...byCreator };
  return { address, bytes: getPassEncoder().encode(pass) };
}

/** Returns the account of a credential. */
export function credentialAccount(
  wallet: Address,
  fields: { address?: Address; issuedAt: bigint; expiresAt?: bigint; revoked?: boolean; salt?: number },
): ReadAccount {
  const { address = randomAddress(), issuedAt, expiresAt = 1_000_000n, revoked = false, salt = 1 } = fields;
  const commitment = new Uint8Array(32).fill(salt);
  const credential = { bump: 255, wallet, verifier, commitment, issuedAt, expiresAt, revoked };
  return { address, bytes: getCredentialEncoder().encode(credential) };
}

const CONFIG = randomAddress();

/** Returns the account of the configuration, by which governance ended the passes that were issued before a time. */
export function configAccount(passesValidFrom: bigint): ReadAccount {
  const none = { passFee: null, nextPassFee: null, unsetPassFee: null, activeCircuit: null };
  const bytes = getConfigEncoder().encode({
    ...none,
    bump: 255,
    genesisHash: new Uint8Array(32),
    authority: rule,
    paused: false,
    nextPassFeeFrom: 0n,
    nominee: null,
    guardian: null,
    passesValidFrom,
  });
  return { address: CONFIG, bytes };
}
