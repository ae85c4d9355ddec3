import { randomUUID } from 'node:crypto';
import type { Address } from '@solana/kit';
import type { Insertable, Kysely } from 'kysely';
import type { Schema, VerificationSessionTable } from '../../../src/database/schema.ts';
import { transition } from '../../../src/database/transition.ts';

/** Adds a session in STARTED that begins now, in Unix milliseconds, and lasts an hour. Returns its id. */
export async function addSession(db: Kysely<Schema>, wallet: Address, now: number): Promise<string> {
  const id = randomUUID();
  const [created_at, expires_at] = [BigInt(now), BigInt(now + 3_600_000)];
  await db
    .insertInto('verification_session')
    .values({ id, wallet, created_at, expires_at, state: 'STARTED' })
    .execute();
  return id;
}

/** Adds a session in ISSUING with the columns of its claim. Returns its id. */
export async function addIssuingSession(
  db: Kysely<Schema>,
  { wallet, now, ...set }: Partial<Insertable<VerificationSessionTable>> & { wallet: Address; now: number },
): Promise<string> {
  const id = await addSession(db, wallet, now);
  await transition(db, { table: 'verification_session', id, from: 'STARTED', to: 'ISSUING', set });
  return id;
}
