/** `POST /api/verifier/webhook`: how verifications come out. What is answered was committed first (SPEC.md section 4). */
import { createHash } from 'node:crypto';
import { WEBHOOK_TOLERANCE_SECONDS, type WebhookRequest, webhookRequest } from '@service/contract';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import * as z from 'zod/mini';
import { findAccounts } from '../../chain-index/find.ts';
import { assertIndexFresh } from '../../chain-index/index.ts';
import type { Schema } from '../../database/schema.ts';
import { transition } from '../../database/transition.ts';
import { ServiceFault } from '../../http/failures/fault.ts';
import type { Service } from '../../service.ts';
import { queueRevocation } from '../revoking/revocations.ts';
import type { VerificationSession, WebhookDeliveryTable } from '../tables.ts';
import { type CredentialClaim, readCredentialClaim } from './credential-claim.ts';
import { readRevocationClaim } from './revocation-claim.ts';

/** An authentic message of the verifier. */
export interface Delivery {
  /** Its webhook-id: what makes a repeat a repeat. */
  readonly id: string;
  readonly event: WebhookRequest;
  readonly signal: AbortSignal;
}

/**
 * Acts on a message of the verifier, once: a repeat of an id changes nothing. A message that is refused may be sent again
 * under its id.
 *
 * - `verification.completed`: the signed credential is stored and queued for the chain.
 * - `verification.failed`: a session that is still open ends.
 * - `credential.revoked`: the signed revocation is stored and queued for the chain.
 *
 * @throws ServiceFault NOT_FOUND (no such session of this wallet, or it has expired), INVALID_REQUEST, INDEX_STALE,
 *   IDEMPOTENCY_CONFLICT (the id was that of another message)
 */
export async function receiveWebhook(service: Service, { id, event, signal }: Delivery): Promise<void> {
  const said = { id, type: event.type, session_id: event.data.sessionId, digest: digestOf(event) };
  const before = await findDelivery(service.db, id);
  if (before) return assertSame(before, said);
  const session = await findSession(service.db, event.data);
  const act = await prepareAct(service, session, { event, signal });
  await service.db.transaction().execute(async (trx) => {
    const isNew = await recordDelivery(trx, { ...said, received_at: now(service) });
    if (isNew) await act(trx);
    else assertSame(await findDelivery(trx, id), said);
  });
  service.log.info({ sessionId: session.id, type: event.type }, 'verifier webhook received');
}

const now = ({ clock }: Service) => BigInt(clock.now());

/** What a message says, apart from when it says so: a retry may be written anew. */
function digestOf(event: WebhookRequest): Uint8Array {
  const { type, data } = z.encode(webhookRequest, event);
  return new Uint8Array(
    createHash('sha256')
      .update(JSON.stringify([type, data]))
      .digest(),
  );
}

type Said = Pick<Selectable<WebhookDeliveryTable>, 'digest'>;

function findDelivery(db: Kysely<Schema>, id: string): Promise<Said | undefined> {
  return db.selectFrom('webhook_delivery').select('digest').where('id', '=', id).executeTakeFirst();
}

/** To answer another message as if it had been taken would lose it. */
function assertSame(before: Said | undefined, { digest }: Said): void {
  if (!before?.digest || !digest || Buffer.from(before.digest).equals(digest)) return;
  throw new ServiceFault(
    'IDEMPOTENCY_CONFLICT',
    'Another message had this webhook-id. Give each message its own id.',
  );
}

/** The session of the wallet that the message names: naming another wallet finds none. */
async function findSession(db: Kysely<Schema>, data: WebhookRequest['data']): Promise<VerificationSession> {
  const session = await db
    .selectFrom('verification_session')
    .selectAll()
    .where('id', '=', data.sessionId)
    .where('wallet', '=', data.wallet)
    .executeTakeFirst();
  if (!session) throw new ServiceFault('NOT_FOUND', 'The wallet has no verification session with this id.');
  return session;
}

type Act = (trx: Transaction<Schema>) => Promise<void>;

/** Checks what a message says; what is to be done about it, once. */
async function prepareAct(
  service: Service,
  session: VerificationSession,
  { event, signal }: Pick<Delivery, 'event' | 'signal'>,
): Promise<Act> {
  if (event.type === 'verification.failed') return (trx) => endSession(trx, session.id);
  const closesAt = session.expires_at + BigInt(WEBHOOK_TOLERANCE_SECONDS) * 1000n;
  if (event.type === 'verification.completed' && session.state === 'STARTED' && now(service) > closesAt) {
    throw new ServiceFault('NOT_FOUND', 'The verification session has expired.');
  }
  const { tip } = await assertIndexFresh(service, signal);
  const { program, genesisHash } = service.settings;
  const facts = { program, genesisHash, chainTime: tip.time };
  const verifiers = (await findAccounts(service, 'verifier')).map(({ data }) => data);
  if (event.type === 'credential.revoked') {
    const known = session.verifier_authority;
    const authorities = known ? [known] : verifiers.map(({ authority }) => authority);
    const claim = readRevocationClaim(event.data, { ...facts, authorities });
    return (trx) => queueRevocation(trx, claim);
  }
  const activeAuthorities = verifiers.filter(({ active }) => active).map(({ authority }) => authority);
  const claim = readCredentialClaim(event.data, { ...facts, activeAuthorities });
  return (trx) => queueCredential(trx, session.id, { claim, dueAt: now(service) });
}

/** Whether this id is new; of two at once the second waits for the first and finds that it is not. */
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

/** The session takes one credential. @throws ServiceFault INVALID_REQUEST when it has ended or has another one. */
async function queueCredential(
  trx: Transaction<Schema>,
  id: string,
  { claim: { statement, signature, verifierAuthority }, dueAt }: { claim: CredentialClaim; dueAt: bigint },
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
    throw new ServiceFault(
      'INVALID_REQUEST',
      'The verification session has ended, because it accepts one credential. Start a new one.',
    );
  }
}

async function endSession(trx: Transaction<Schema>, id: string): Promise<void> {
  const set = { failure: 'The verifier did not verify the person.' };
  await transition(trx, { table: 'verification_session', id, from: 'STARTED', to: 'FAILED', set });
}
