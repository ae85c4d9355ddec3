/** `POST /api/verifier/webhook`: results of verifications, committed before the response (SPEC.md section 4). */
import { createHash } from 'node:crypto';
import {
  REVIEW_SECONDS,
  WEBHOOK_TOLERANCE_SECONDS,
  type WebhookRequest,
  webhookRequest,
} from '@service/contract';
import { WEBHOOK_HEADERS } from '@service/contract/verifier';
import type { CredentialStatement } from '@service/protocol';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import * as z from 'zod/mini';
import { findAccounts } from '../../chain-index/find.ts';
import { assertIndexFresh, indexStale } from '../../chain-index/freshness.ts';
import type { Schema, VerificationSession, WebhookDeliveryTable } from '../../database/schema.ts';
import { transition } from '../../database/transition.ts';
import { invalidRequest, ServiceFault } from '../../http/failures/fault.ts';
import type { RouteInput } from '../../http/routing/route-types.ts';
import type { Service } from '../../service.ts';
import { queueRevocation } from '../revoking/revocations.ts';
import { type Claim, readCredentialClaim, readRevocationClaim } from './claims.ts';

/**
 * Processes an authentic message from the verifier once. A retry has the same `webhook-id`. A repeated id changes nothing. A
 * rejected message may be sent again under its id.
 *
 * - `verification.completed`: stores the signed credential and queues it for the chain.
 * - `verification.failed`: ends the session if it is still open.
 * - `verification.pending`: lets the session wait for the result of a review.
 * - `credential.revoked`: stores the signed revocation and queues it for the chain.
 *
 * @throws ServiceFault NOT_FOUND (the wallet has no such session at the sender, or it has expired), INVALID_REQUEST, INDEX_STALE,
 *   IDEMPOTENCY_CONFLICT (another message had this id)
 */
export async function receiveWebhook(
  service: Service,
  { body: event, context, verifier }: RouteInput<'webhook'>,
): Promise<void> {
  const isMain = verifier === service.settings.verifier.name;
  const ownId = context.req.header(WEBHOOK_HEADERS.id) ?? '';
  // No webhook-id contains a colon, so two verifiers never have the same one here.
  const id = isMain ? ownId : `${verifier}:${ownId}`;
  const message = { id, type: event.type, session_id: event.data.sessionId, digest: digestOf(event) };
  const before = await findDelivery(service.db, id);
  if (before) return assertSame(before, message);
  const session = await findSession(service, event.data, verifier);
  const change = await prepareChange(service, session, event);
  await service.db.transaction().execute(async (trx) => {
    const isNew = await recordDelivery(trx, { ...message, received_at: now(service) });
    if (isNew) await change(trx);
    else assertSame(await findDelivery(trx, id), message);
  });
  service.log.info({ sessionId: session.id, type: event.type, verifier }, 'verifier webhook received');
}

const now = ({ clock }: Service) => BigInt(clock.now());

/** Hashes type and data of a message. The timestamp is left out, because a retry may have another one. */
function digestOf(event: WebhookRequest): Uint8Array {
  const { type, data } = z.encode(webhookRequest, event);
  return new Uint8Array(
    createHash('sha256')
      .update(JSON.stringify([type, data]))
      .digest(),
  );
}

type Digest = Pick<Selectable<WebhookDeliveryTable>, 'digest'>;

function findDelivery(db: Kysely<Schema>, id: string): Promise<Digest | undefined> {
  return db.selectFrom('webhook_delivery').select('digest').where('id', '=', id).executeTakeFirst();
}

/** Rejects another message under a used id. Accepting it without processing would lose it. */
function assertSame(before: Digest | undefined, { digest }: Digest): void {
  if (!before || Buffer.from(before.digest).equals(digest)) return;
  throw new ServiceFault(
    'IDEMPOTENCY_CONFLICT',
    'Another message had this webhook-id. Give each message its own id.',
  );
}

/** Finds the session that the message names. It must be a session of its wallet at the verifier that sent the message. */
async function findSession(
  { db, settings }: Service,
  { sessionId, wallet }: WebhookRequest['data'],
  verifier: string,
): Promise<VerificationSession> {
  const session = await db
    .selectFrom('verification_session')
    .selectAll()
    .where('id', '=', sessionId)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  if (session && (session.verifier ?? settings.verifier.name) === verifier) return session;
  throw new ServiceFault('NOT_FOUND', 'The wallet has no such session. Check sessionId.');
}

type Change = (trx: Transaction<Schema>) => Promise<void>;

/** Checks a message and returns the changes that it causes. */
async function prepareChange(
  service: Service,
  session: VerificationSession,
  event: WebhookRequest,
): Promise<Change> {
  if (event.type === 'verification.failed') return (trx) => endSession(trx, session.id);
  const isLate = session.state === 'STARTED' && now(service) > closesAt(session);
  if (isLate && event.type !== 'credential.revoked') {
    throw new ServiceFault('NOT_FOUND', 'The verification session has expired. Start a new one.');
  }
  if (event.type === 'verification.pending') return (trx) => beginReview(trx, session.id, now(service));
  const { tip } = await assertIndexFresh(service);
  const { program, genesisHash } = service.settings;
  const facts = { program, genesisHash, chainTime: tip.time };
  const verifiers = await readVerifiers(service);
  if (event.type === 'credential.revoked') {
    // An inactive verifier can still revoke. Before a session has a credential, any verifier may sign.
    const known = session.verifier_authority;
    const authorities = known ? [known] : verifiers.map(({ authority }) => authority);
    const claim = readRevocationClaim(event.data, { ...facts, authorities });
    return (trx) => queueRevocation(trx, claim);
  }
  const authorities = verifiers.filter(({ active }) => active).map(({ authority }) => authority);
  const claim = readCredentialClaim(event.data, { ...facts, authorities });
  return (trx) => queueCredential(trx, session.id, { claim, dueAt: now(service) });
}

/** Returns when a session stops waiting for its result, in Unix milliseconds. */
function closesAt({ expires_at, pending_at }: VerificationSession): bigint {
  const seconds = WEBHOOK_TOLERANCE_SECONDS + (pending_at === null ? 0 : REVIEW_SECONDS);
  return expires_at + BigInt(seconds) * 1000n;
}

/**
 * Returns the verifiers on chain. A set-up that is confirmed, but not final, has none in the index yet. A verifier does not
 * repeat a message after INVALID_REQUEST, so it would be lost.
 *
 * @throws ServiceFault INDEX_STALE if the index has read no verifier yet
 */
async function readVerifiers(service: Service) {
  const verifiers = await findAccounts(service, 'verifier');
  if (verifiers.length === 0) throw indexStale();
  return verifiers.map(({ data }) => data);
}

/** Returns whether this id is new. If two messages with one id arrive at once, the second waits for the first. */
async function recordDelivery(
  trx: Transaction<Schema>,
  delivery: Insertable<WebhookDeliveryTable>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('webhook_delivery')
    .values(delivery)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Queues the session's one credential. @throws ServiceFault INVALID_REQUEST if the session ended or has another one */
async function queueCredential(
  trx: Transaction<Schema>,
  id: string,
  {
    claim: { statement, signature, verifierAuthority },
    dueAt,
  }: { claim: Claim<CredentialStatement>; dueAt: bigint },
): Promise<void> {
  const isQueued = await transition(trx, {
    table: 'verification_session',
    id,
    from: 'STARTED',
    to: 'ISSUING',
    set: {
      verifier_authority: verifierAuthority,
      commitment: statement.commitment,
      issued_at: statement.issuedAt,
      credential_expires_at: statement.expiresAt,
      signature,
      due_at: dueAt,
    },
  });
  if (isQueued) return;
  const same = await trx
    .selectFrom('verification_session')
    .select('id')
    .where('id', '=', id)
    .where('commitment', '=', statement.commitment)
    .where('issued_at', '=', statement.issuedAt)
    .executeTakeFirst();
  if (!same) {
    throw invalidRequest(
      'The verification session has ended, because it accepts one credential. Start a new one.',
    );
  }
}

/** Notes the first report of a review, if the session still waits for its result. */
async function beginReview(trx: Transaction<Schema>, id: string, pendingAt: bigint): Promise<void> {
  await trx
    .updateTable('verification_session')
    .set({ pending_at: pendingAt })
    .where('id', '=', id)
    .where('state', '=', 'STARTED')
    .where('pending_at', 'is', null)
    .execute();
}

async function endSession(trx: Transaction<Schema>, id: string): Promise<void> {
  const set = { failure: 'The verifier did not verify the person.' };
  await transition(trx, { table: 'verification_session', id, from: 'STARTED', to: 'FAILED', set });
}
