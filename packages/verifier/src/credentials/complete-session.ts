/** Signs the credential of a session, reports it, and returns the witness. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Witness } from '@service/contract';
import type { Kysely } from 'kysely';
import { appendAudit, lockAudit } from '../audit/audit.ts';
import { checkOf } from '../checks/begin-check.ts';
import { failSessions, readDecision } from '../checks/record-decision.ts';
import type { Check, Schema, Session } from '../database/schema.ts';
import { reserveSigningTime } from '../database/signing-time.ts';
import { sendMessage } from '../messages/send-message.ts';
import { type Attested, applyPolicy, type Refusal } from '../policy/apply-policy.ts';
import type { Decision } from '../provider.ts';
import type { Verifier } from '../verifier.ts';
import { type Attestation, attest, personHashOf } from './attest.ts';

/**
 * How a completion ended:
 *
 * - `verified`: the service has the credential, and the caller sends the person back with the witness, which is nowhere else.
 * - `undecided`: the provider has not approved the person, or does not any more.
 * - `refused`: the policy or the service does not accept the person or the session.
 * - `busy`: another request completes the session.
 * - `unreachable`: the service did not respond. The person can try again in the same session.
 */
export type Completion =
  | { readonly outcome: 'verified'; readonly witness: Witness }
  | { readonly outcome: 'refused'; readonly why: Refusal | 'taken back' | 'service' }
  | { readonly outcome: 'undecided' | 'busy' | 'unreachable' };

/**
 * Milliseconds for which no other request completes the session. They begin again when the credential is recorded, and are
 * longer than all attempts to report it.
 */
const SIGNING_MS = 60_000;

/**
 * Completes a session for the browser that has it. The decision is read from the provider at this moment. Nothing of it is
 * stored but the state.
 *
 * @throws ProviderError, KeyError: nothing was reported, and the same call can succeed later
 */
export async function completeSession(
  verifier: Verifier,
  session: Session,
  browserHash: string,
): Promise<Completion> {
  const check = await checkOf(verifier, session);
  // The service knows the link of the session, but it does not have the cookie of the browser that began the check.
  if (!check || check.browser_hash !== browserHash || session.browser_hash !== browserHash) {
    return { outcome: 'undecided' };
  }
  const lease = await beginSigning(verifier, session);
  if (!lease) return { outcome: 'busy' };
  let next: Session['state'] = 'OPEN';
  try {
    const completion = await signAndReport(verifier, { session, lease }, check);
    if (completion.outcome === 'verified') next = 'REPORTED';
    if (completion.outcome === 'refused') next = 'FAILED';
    return completion;
  } finally {
    await endSigning(verifier, { session, lease }, next);
  }
}

/** The right of one request to complete a session, until a time in Unix milliseconds. */
interface Lease {
  until: bigint;
}

/** A session and the lease of the request that completes it. */
interface Leased {
  readonly session: Session;
  readonly lease: Lease;
}

/** Reserves the session, so that two tabs do not sign two credentials. A request that died keeps it for a minute. */
async function beginSigning({ db, clock }: Verifier, { id }: Session): Promise<Lease | null> {
  const now = BigInt(clock.now());
  const until = now + BigInt(SIGNING_MS);
  const reserved = await db
    .updateTable('session')
    .set({ state: 'SIGNING', signing_until: until })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'OPEN'),
        eb.and([eb('state', '=', 'SIGNING'), eb('signing_until', '<=', now)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst();
  return reserved ? { until } : null;
}

/** Ends the lease, unless another request has the session meanwhile. */
async function endSigning(
  { db, clock }: Verifier,
  { session: { id }, lease }: Leased,
  state: Session['state'],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Decisions are recorded in the same order: the check before its sessions.
    const check = await tx
      .selectFrom('person_check')
      .select(['id', 'state'])
      .where('id', '=', (eb) => eb.selectFrom('session').select('check_id').where('id', '=', id))
      .forUpdate()
      .executeTakeFirst();
    await tx
      .updateTable('session')
      .set({ state, signing_until: null })
      .where('id', '=', id)
      .where('state', '=', 'SIGNING')
      .where('signing_until', '=', lease.until)
      .execute();
    // A check that was declined meanwhile has ended only the sessions that nobody completed.
    if (state === 'OPEN' && check?.state === 'declined') await failSessions(tx, clock.now(), check.id);
  });
}

async function signAndReport(
  verifier: Verifier,
  { session, lease }: Leased,
  found: Check,
): Promise<Completion> {
  const { settings, clock, provider, personKey, attestationKey } = verifier;
  const { check, decision } = await readDecision(verifier, found);
  if (check.state !== 'approved' || decision.state !== 'approved') return { outcome: 'undecided' };
  const attested = attestedOf(verifier, decision);
  if ('refusal' in attested) return refuse(verifier, { session, lease }, check, attested.refusal);
  const personHash = await personHashOf(personKey, attested.personId);
  if (await isTakenBack(verifier.db, check, personHash)) {
    return refuse(verifier, { session, lease }, check, 'taken back');
  }
  const { wallet } = session;
  const issuedAt = await reserveSigningTime(verifier.db, { wallet, what: 'credential', now: clock.now() });
  const signedFor = { program: settings.program, genesisHash: settings.genesisHash };
  const attestation = await attest({ attested, wallet, signedFor, issuedAt, attestationKey, personKey });
  const signed = { session, lease, check, personHash, attestation, provider: provider.name };
  const recorded = await recordCredential(verifier, signed);
  if (recorded === 'taken back') return refuse(verifier, { session, lease }, check, recorded);
  if (recorded === 'changed') return { outcome: 'undecided' };
  const outcome = await report(verifier, session, attestation);
  verifier.metrics.credentials.inc({ outcome });
  if (outcome === 'unreachable') return { outcome };
  await recordOutcome(verifier, session, attestation, outcome);
  return outcome === 'accepted'
    ? { outcome: 'verified', witness: attestation.witness }
    : { outcome: 'refused', why: 'service' };
}

function attestedOf(
  { settings, clock, provider }: Verifier,
  decision: Decision,
): Attested | { refusal: Refusal } {
  const { policy, allowSandbox } = settings;
  const now = BigInt(Math.floor(clock.now() / 1_000));
  const applied = applyPolicy(decision, { policy, flow: provider.flow, allowSandbox, now });
  return 'attested' in applied ? applied.attested : applied;
}

/** Ends the session, and tells the service. The audit trail names the rule that was not met, never a value. */
async function refuse(
  { db, clock }: Verifier,
  { session: { id, wallet }, lease }: Leased,
  check: Check,
  why: Refusal | 'taken back',
): Promise<Completion> {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await appendAudit(tx, now, {
      what: 'credential refused',
      session: id,
      wallet,
      check: check.id,
      state: why,
    });
    await tx
      .updateTable('session')
      .set({ state: 'OPEN', signing_until: null })
      .where('id', '=', id)
      .where('state', '=', 'SIGNING')
      .where('signing_until', '=', lease.until)
      .execute();
    await failSessions(tx, now, check.id);
  });
  return { outcome: 'refused', why };
}

/** Returns whether the provider declined this person after it approved the check. */
async function isTakenBack(db: Kysely<Schema>, check: Check, personHash: string): Promise<boolean> {
  const later = await db
    .selectFrom('person_check')
    .select('id')
    .where('person_hash', '=', personHash)
    .where('state', '=', 'declined')
    .where('decided_at', '>', check.decided_at)
    .executeTakeFirst();
  return later !== undefined;
}

interface SignedCredential extends Leased {
  readonly check: Check;
  readonly personHash: string;
  readonly attestation: Attestation;
  readonly provider: string;
}

/**
 * Records a signed credential before anybody else gets it, so that a later revocation covers it. Records nothing if meanwhile
 * the decision has changed, another request completes the session, or the provider took back another approval of this person.
 */
async function recordCredential(
  { db, clock, settings }: Verifier,
  { session, lease, check, personHash, attestation, provider }: SignedCredential,
): Promise<'recorded' | 'changed' | 'taken back'> {
  const { statement } = attestation;
  const commitment = Buffer.from(statement.commitment).toString('hex');
  return db.transaction().execute(async (tx) => {
    const current = await tx
      .selectFrom('person_check')
      .select('id')
      .where('id', '=', check.id)
      .where('state', '=', 'approved')
      .where('decided_at', '=', check.decided_at)
      .forUpdate()
      .executeTakeFirst();
    if (!current) return 'changed';
    // A decision that is taken back is recorded under this lock. After it, the revocation finds this credential.
    await lockAudit(tx);
    if (await isTakenBack(tx, check, personHash)) return 'taken back';
    const until = BigInt(clock.now() + SIGNING_MS);
    const { numUpdatedRows } = await tx
      .updateTable('session')
      .set({ signing_until: until })
      .where('id', '=', session.id)
      .where('state', '=', 'SIGNING')
      .where('signing_until', '=', lease.until)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return 'changed';
    lease.until = until;
    await tx
      .updateTable('person_check')
      .set({ person_hash: personHash, is_signed: true })
      .where('id', '=', check.id)
      .execute();
    const { wallet, issuedAt, expiresAt } = statement;
    const times = { issued_at: issuedAt, expires_at: expiresAt };
    await tx
      .insertInto('credential')
      .values({ commitment, wallet, session_id: session.id, check_id: check.id, ...times, state: 'SIGNED' })
      .execute();
    await appendAudit(tx, clock.now(), {
      what: 'credential signed',
      session: session.id,
      wallet,
      check: check.id,
      provider,
      policy: settings.policy.version,
      commitment,
      issuedAt: `${issuedAt}`,
      expiresAt: `${expiresAt}`,
    });
    return 'recorded';
  });
}

/** Reports a credential while the person waits. All attempts have one id. */
async function report(verifier: Verifier, session: Session, { statement, signature }: Attestation) {
  const { wallet, issuedAt, expiresAt } = statement;
  const data = {
    sessionId: session.id,
    wallet,
    commitment: Buffer.from(statement.commitment).toString('hex'),
    issuedAt,
    expiresAt,
    signature: Buffer.from(signature).toString('base64'),
  };
  const timestamp = new Date(verifier.clock.now()).toISOString();
  const event = { type: 'verification.completed', timestamp, data } as const;
  const message = { id: `msg_${randomUUID()}`, webhookUrl: session.webhook_url, event };
  for (const ms of [0, ...verifier.reportRetryMs]) {
    await pause(ms);
    const outcome = await sendMessage(verifier, message);
    if (outcome !== 'unreachable') return outcome;
  }
  return 'unreachable';
}

async function recordOutcome(
  { db, clock }: Verifier,
  session: Session,
  { statement }: Attestation,
  outcome: 'accepted' | 'rejected',
): Promise<void> {
  const commitment = Buffer.from(statement.commitment).toString('hex');
  const { id, wallet } = session;
  await db.transaction().execute(async (tx) => {
    const state = outcome === 'accepted' ? 'ACCEPTED' : 'REJECTED';
    await tx.updateTable('credential').set({ state }).where('commitment', '=', commitment).execute();
    await appendAudit(tx, clock.now(), { what: `credential ${outcome}`, session: id, wallet, commitment });
  });
}
