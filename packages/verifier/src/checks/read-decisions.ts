/** Reads decisions in the background: those whose webhook came, and those whose webhook may be lost. */

import { logError } from '@service/process';
import { sql } from 'kysely';
import type { Check } from '../database/schema.ts';
import { ProviderError } from '../provider.ts';
import type { Verifier } from '../verifier.ts';
import { readDecision } from './record-decision.ts';

/** Decisions that one step reads. */
const BATCH = 10;
/** Milliseconds after which a reading that failed is repeated, and after which another process repeats one that died. */
const RETRY_MS = 60_000;

/** Reads the decisions that are due. Returns how many. */
export async function readDueDecisions(verifier: Verifier): Promise<number> {
  const { db, clock, provider, log } = verifier;
  const now = BigInt(clock.now());
  const { rows } = await sql<Check>`
    update person_check set due_at = ${now + BigInt(RETRY_MS)}
    where id in (
      select id from person_check where due_at <= ${now} and provider = ${provider.name}
      order by due_at limit ${BATCH} for update skip locked)
    returning *`.execute(db);
  for (const check of rows) {
    try {
      await readDecision(verifier, check);
    } catch (error) {
      // One check whose decision makes no sense must not hold up the others.
      const stack = !(error instanceof ProviderError);
      logError(log, error, 'a decision could not be read; it will be repeated', { stack });
    }
  }
  return rows.length;
}

/**
 * Schedules a reading of the decision about a check for now, because the provider sent a webhook. The schedule is in the
 * database before the webhook gets its response, so a crash loses nothing.
 */
export async function scheduleReading(verifier: Verifier, providerId: string): Promise<void> {
  const { db, clock, provider } = verifier;
  await db
    .updateTable('person_check')
    .set({ due_at: BigInt(clock.now()) })
    .where('provider', '=', provider.name)
    .where('provider_id', '=', providerId)
    .execute();
  verifier.wake();
}
