/** The audit trail: append-only, each entry with the hash of the one before. It has no attribute, no witness and no secret. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** The key of the advisory lock by which entries are written one after another. Any fixed number works. */
const LOCK = 5_318_008_211_407n;
/** The hash before the first entry. */
const FIRST = '0'.repeat(64);

/** An entry. Addresses are base58, times are decimal strings of Unix seconds, the commitment is hexadecimal. */
export interface AuditEntry {
  readonly what:
    | 'session opened'
    | 'check begun'
    | 'decision changed'
    | 'credential signed'
    | 'credential accepted'
    | 'credential rejected'
    | 'credential refused'
    | 'revocation signed'
    | 'revocation accepted';
  readonly session?: string;
  readonly wallet?: string;
  readonly site?: string;
  /** The reference of the check at the provider. */
  readonly check?: string;
  readonly provider?: string;
  /** The new state of a decision, or the rule of the policy that was not met. */
  readonly state?: string;
  readonly policy?: string;
  readonly commitment?: string;
  readonly issuedAt?: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
}

/** Lets only this transaction append entries until its end. It sees the entries that others committed before. */
export async function lockAudit(db: Kysely<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(db);
}

/** Appends an entry. Call it in the transaction that does what the entry says. `now` is in Unix milliseconds. */
export async function appendAudit(db: Kysely<Schema>, now: number, entry: AuditEntry): Promise<void> {
  await lockAudit(db);
  const last = await db
    .selectFrom('audit')
    .select(['number', 'hash'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  const text = JSON.stringify({ time: new Date(now).toISOString(), ...entry });
  const hash = hashOf(last?.hash ?? FIRST, text);
  await db
    .insertInto('audit')
    .values({ number: (last?.number ?? 0n) + 1n, entry: text, hash })
    .execute();
}

/** The audit trail up to its last entry. */
export interface VerifiedAudit {
  readonly entries: bigint;
  /** The hash of the last entry. Keep it elsewhere: without it, nobody notices that the end of the trail was cut off. */
  readonly hash: string;
}

/** An entry of the audit trail was changed or is missing. */
export class AuditError extends Error {
  override readonly name = 'AuditError';
}

/** Reads the whole audit trail, calls `onEntry` with each entry, and checks every hash. @throws AuditError */
export async function verifyAudit(
  db: Kysely<Schema>,
  onEntry: (entry: string) => void = () => undefined,
): Promise<VerifiedAudit> {
  const BATCH = 1_000;
  let before = { number: 0n, hash: FIRST };
  for (;;) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('number', '>', before.number)
      .orderBy('number')
      .limit(BATCH)
      .execute();
    for (const { number, entry, hash } of rows) {
      if (number !== before.number + 1n || hash !== hashOf(before.hash, entry)) {
        throw new AuditError(`Entry ${before.number + 1n} of the audit trail was changed or is missing.`);
      }
      onEntry(entry);
      before = { number, hash };
    }
    if (rows.length < BATCH) return { entries: before.number, hash: before.hash };
  }
}

function hashOf(before: string, entry: string): string {
  return createHash('sha256').update(before).update(entry).digest('hex');
}
