/** Begins checks at the provider, and finds those of a browser. */
import { randomUUID } from 'node:crypto';
import { appendAudit } from '../audit/audit.ts';
import type { Check, Session } from '../database/schema.ts';
import { putMessage } from '../messages/outbox.ts';
import { ProviderError } from '../provider.ts';
import type { Verifier } from '../verifier.ts';
import { isProviderUrl } from './provider-url.ts';

/** Milliseconds after which the decision of a check is read for the first time, in case the provider's webhook is lost. */
const FIRST_READ_MS = 10 * 60_000;

/** A check to begin for the browser of a session. */
export interface BegunCheck {
  readonly session: Session;
  readonly browserHash: string;
  /** The page of the verifier to which the provider sends the person afterwards. */
  readonly returnUrl: string;
}

/** Begins a check at the provider for a session. @throws ProviderError */
export async function beginCheck(verifier: Verifier, begun: BegunCheck): Promise<Check> {
  const { db, clock, provider } = verifier;
  const { session, browserHash, returnUrl } = begun;
  const reference = randomUUID();
  const started = await provider.start({ reference, returnUrl });
  if (!isProviderUrl(provider, started.url)) {
    throw new ProviderError(`The provider ${provider.name} returned a page that is not under its origins.`);
  }
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const check = await tx
      .insertInto('person_check')
      .values({
        id: reference,
        provider: provider.name,
        provider_id: started.id,
        page_url: started.url,
        browser_hash: browserHash,
        state: 'pending',
        decided_at: 0n,
        created_at: BigInt(now),
        due_at: BigInt(now + FIRST_READ_MS),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await appendAudit(tx, now, {
      what: 'check begun',
      session: session.id,
      check: check.id,
      provider: provider.name,
    });
    await tx.updateTable('session').set({ check_id: check.id }).where('id', '=', session.id).execute();
    return check;
  });
}

/** Finds the check of a session. */
export async function checkOf({ db }: Verifier, { check_id }: Session): Promise<Check | null> {
  if (check_id === null) return null;
  return db.selectFrom('person_check').selectAll().where('id', '=', check_id).executeTakeFirstOrThrow();
}

/**
 * Finds the latest check that this browser began and that can still lead to a credential. Nothing else recognizes a person:
 * the service alone names the wallet, so it could ask for the credential of somebody else.
 */
export async function checkOfBrowser({ db, provider }: Verifier, browserHash: string): Promise<Check | null> {
  const check = await db
    .selectFrom('person_check')
    .selectAll()
    .where('browser_hash', '=', browserHash)
    .where('provider', '=', provider.name)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!check) return null;
  return check.state === 'approved' || (check.state === 'pending' && check.is_submitted) ? check : null;
}

/** Lets a session use a check. */
export async function useCheck({ db }: Verifier, session: Session, check: Check): Promise<void> {
  await db.updateTable('session').set({ check_id: check.id }).where('id', '=', session.id).execute();
}

/**
 * Records that the person of a session came back from the provider. A check that is still pending is then in review, which the
 * service of the session is told once, so that the site can show it.
 */
export async function markSubmitted({ db, clock }: Verifier, session: Session, check: Check): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('person_check').set({ is_submitted: true }).where('id', '=', check.id).execute();
    if (check.state !== 'pending') return;
    const first = await tx
      .updateTable('session')
      .set({ is_pending_reported: true })
      .where('id', '=', session.id)
      .where('is_pending_reported', '=', false)
      .returning('wallet')
      .executeTakeFirst();
    if (!first) return;
    const message = { type: 'verification.pending', session_id: session.id, wallet: first.wallet } as const;
    await putMessage(tx, clock.now(), message);
  });
}
