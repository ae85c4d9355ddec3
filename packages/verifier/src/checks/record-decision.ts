/** Records the decision of a provider, and does what follows from it. */
import { type Kysely, sql } from 'kysely';
import { appendAudit } from '../audit/audit.ts';
import type { Check, Schema } from '../database/schema.ts';
import { putMessage } from '../messages/outbox.ts';
import { type Decision, ProviderError } from '../provider.ts';
import type { Verifier } from '../verifier.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How far the provider's clock may be ahead. A decision from the future would outdate every later one. */
const MOST_AHEAD_MS = 60 * MINUTE_MS;
/** Milliseconds between two readings of a decision that a person waits for. */
const REVIEW_MS = 15 * MINUTE_MS;
/** A check that nobody finished is given up after this time. Reviews take days. */
export const GIVE_UP_MS = 40 * DAY_MS;

/** Reads the decision about a check from the provider and records it. @throws ProviderError */
export async function readDecision(
  verifier: Verifier,
  check: Check,
): Promise<{ readonly check: Check; readonly decision: Decision }> {
  const decision = await verifier.provider.decision(check.provider_id);
  return { decision, check: await recordDecision(verifier, check, decision) };
}

/**
 * Records a decision, unless a newer one was recorded. If the provider took an approval back, the credentials of all wallets of
 * this person are revoked: the outbox gets a message for each wallet, in the same transaction.
 */
async function recordDecision(
  verifier: Verifier,
  { id, due_at: dueBefore }: Check,
  decision: Decision,
): Promise<Check> {
  const { db, clock, metrics, provider } = verifier;
  const now = clock.now();
  const isTakingBack = decision.state === 'declined' || decision.state === 'retry';
  if (!isTakingBack && !(decision.updatedAt <= now + MOST_AHEAD_MS)) {
    throw new ProviderError(`The time of a decision of ${provider.name} is in the future. Check its clock.`);
  }
  const { check, isChanged } = await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('person_check')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    // Two readings can overtake each other. Of two with the same time, the later one counts.
    if (BigInt(decision.updatedAt) < before.decided_at) return { check: before, isChanged: false };
    const { state } = decision;
    const isTakenBack = before.is_signed && isTakingBack;
    const dueAt = nextReading(verifier, { ...before, state }, now);
    // If a webhook came during this reading, the decision can be older than the webhook. Keep the time that it set.
    const isScheduled = before.due_at !== dueBefore && before.due_at !== null;
    const check = await tx
      .updateTable('person_check')
      .set({
        state,
        decided_at: BigInt(decision.updatedAt),
        due_at: isScheduled ? before.due_at : dueAt,
        ...(isTakenBack ? { is_signed: false } : {}),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (state === before.state) return { check, isChanged: false };
    await appendAudit(tx, now, { what: 'decision changed', check: id, state });
    if (isTakenBack) await revokeWallets(tx, now, check);
    if (state === 'declined') await failSessions(tx, now, id);
    return { check, isChanged: true };
  });
  if (isChanged) {
    metrics.decisions.inc({ state: check.state });
    verifier.wake();
  }
  return check;
}

/** Returns when a decision is read next, because a webhook can be lost. */
function nextReading({ provider }: Verifier, check: Check, now: number): bigint | null {
  const { state, is_submitted: isSubmitted, created_at: createdAt } = check;
  if (state === 'approved') return BigInt(now + (provider.recheckSeconds ?? DAY_MS / 1_000) * 1_000);
  if (state !== 'pending' || BigInt(now - GIVE_UP_MS) > createdAt) return null;
  return BigInt(now + (isSubmitted ? REVIEW_MS : 4 * REVIEW_MS));
}

/** Revokes the credentials of every wallet of the person. */
async function revokeWallets(db: Kysely<Schema>, now: number, { id, person_hash }: Check): Promise<void> {
  // A wallet may have several credentials. Its revocation names the session of one of them.
  const { rows } = await sql<{ wallet: MessageWallet; session_id: string }>`
    with revoked as (
      update credential set revoked_at = ${BigInt(now)}
      where revoked_at is null and state <> 'REJECTED' and expires_at > ${BigInt(Math.floor(now / 1_000))}
        and check_id in (select id from person_check where id = ${id} or person_hash = ${person_hash})
      returning wallet, session_id, state, issued_at)
    select distinct on (wallet) wallet, session_id from revoked
    order by wallet, state = 'ACCEPTED' desc, issued_at desc`.execute(db);
  for (const { wallet, session_id } of rows) {
    await putMessage(db, now, { type: 'credential.revoked', wallet, session_id });
  }
}

type MessageWallet = Schema['message']['wallet'];

/** Ends the sessions that wait for a check, and tells their services. */
export async function failSessions(db: Kysely<Schema>, now: number, checkId: string): Promise<void> {
  const failed = await db
    .updateTable('session')
    .set({ state: 'FAILED' })
    .where('check_id', '=', checkId)
    .where('state', '=', 'OPEN')
    // The site shows a review also after the end of its session.
    .where((eb) => eb.or([eb('expires_at', '>', BigInt(now)), eb('is_pending_reported', '=', true)]))
    .returning(['id', 'wallet'])
    .execute();
  for (const { id, wallet } of failed) {
    await putMessage(db, now, { type: 'verification.failed', wallet, session_id: id });
  }
}
