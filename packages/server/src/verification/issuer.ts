/** The credential-issuing job: takes leases on queued credentials and takes each one step further. */
import { releaseLease, takeLeases } from '../database/lease.ts';
import { logError } from '../log-error.ts';
import type { Service } from '../service.ts';
import type { CredentialTransaction } from './credential-transaction.ts';
import { type IssueOutcome, type IssuingSession, issueCredential } from './issue-credential.ts';

const TABLE = 'verification_session';
/** Credentials that one step takes on. */
const AT_ONCE = 8;
/** Milliseconds that one look may take: well under the lease. */
const LOOK_TIMEOUT_MS = 15_000;
/** Milliseconds between tries that come to nothing: doubled each time, up to a minute. */
const RETRY = { first: 1_000, most: 60_000 } as const;

/** Milliseconds for which a session that nobody completed is kept after its end. */
const KEEP_ABANDONED_MS = 24 * 60 * 60 * 1_000;

/** One step of the job. A credential whose look fails waits; the others go on. Abandoned sessions are removed. */
export async function issuerStep(service: Service, signal: AbortSignal): Promise<void> {
  await removeAbandoned(service);
  const leases = await takeLeases(service.db, {
    table: TABLE,
    states: ['ISSUING'],
    now: service.clock.now(),
    limit: AT_ONCE,
  });
  await Promise.all(leases.ids.map((id) => workOn(service, { id, owner: leases.owner, signal })));
}

/** A session that the verifier has said something of stays, with what it said. */
async function removeAbandoned({ db, clock }: Service): Promise<void> {
  await db
    .deleteFrom(TABLE)
    .where('state', '=', 'STARTED')
    .where('expires_at', '<', BigInt(clock.now() - KEEP_ABANDONED_MS))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_delivery')
            .select('webhook_delivery.id')
            .whereRef('webhook_delivery.session_id', '=', 'verification_session.id'),
        ),
      ),
    )
    .execute();
}

interface Lease {
  readonly id: string;
  readonly owner: string;
  readonly signal: AbortSignal;
}

async function workOn(service: Service, lease: Lease): Promise<void> {
  const session = await service.db
    .selectFrom(TABLE)
    .selectAll()
    .where('id', '=', lease.id)
    .executeTakeFirstOrThrow();
  const outcome = await look(service, session as IssuingSession, lease);
  await finish(service, { ...lease, outcome, attempts: session.attempts });
}

async function look(service: Service, session: IssuingSession, lease: Lease): Promise<IssueOutcome> {
  try {
    return await issueCredential(service, session, {
      signal: AbortSignal.any([lease.signal, AbortSignal.timeout(LOOK_TIMEOUT_MS)]),
      store: (transaction) => store(service, lease, transaction),
    });
  } catch (error) {
    logError(service.log, error, 'a credential could not be looked after; it is tried again');
    return { outcome: 'AGAIN', reason: error instanceof Error ? error.message : 'unknown' };
  }
}

async function store(
  { db }: Service,
  { id, owner }: Lease,
  transaction: CredentialTransaction | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(TABLE)
    .set({
      sent_transaction: transaction?.wire ?? null,
      sent_signature: transaction?.signature ?? null,
      sent_last_valid: transaction?.lastValid ?? null,
    })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function finish(
  service: Service,
  { id, owner, outcome, attempts }: Lease & { outcome: IssueOutcome; attempts: number },
): Promise<void> {
  const now = service.clock.now();
  const update = service.db.updateTable(TABLE).where('id', '=', id).where('lease_owner', '=', owner);
  switch (outcome.outcome) {
    case 'ISSUED':
      await update.set({ state: 'ISSUED', lease_owner: null, lease_until: null }).execute();
      service.log.info({ sessionId: id }, 'credential issued');
      return;
    case 'FAILED':
      await update
        .set({ state: 'FAILED', failure: outcome.reason, lease_owner: null, lease_until: null })
        .execute();
      service.log.warn({ sessionId: id, reason: outcome.reason }, 'credential refused for good');
      return;
    case 'AGAIN':
      await update.set({ attempts: attempts + 1, last_error: outcome.reason }).execute();
      await releaseLease(service.db, { table: TABLE, id, owner, dueAt: now + backoff(attempts) });
      service.log.warn({ sessionId: id, reason: outcome.reason }, 'credential not issued yet');
      return;
    case 'WAITING':
      await releaseLease(service.db, { table: TABLE, id, owner, dueAt: now });
  }
}

function backoff(attempts: number): number {
  return Math.min(RETRY.most, RETRY.first * 2 ** Math.min(attempts, 10));
}
