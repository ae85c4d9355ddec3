/** `POST /api/verifier/webhook`: how verifications come out. What is answered was committed first (SPEC.md section 4). */
import { WEBHOOK_TOLERANCE_SECONDS, type WebhookRequest } from '@service/contract';
import type { Kysely, Transaction } from 'kysely';
import { findAccounts } from '../chain-index/find.ts';
import { assertIndexFresh } from '../chain-index/index.ts';
import type { Schema } from '../database/schema.ts';
import { ServiceFault } from '../http/fault.ts';
import type { Service } from '../service.ts';
import { type CredentialClaim, readCredentialClaim } from './credential-claim.ts';
import type { VerificationSession } from './tables.ts';

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
 * - `credential.revoked`: recorded. The service cannot revoke: that takes the verifier's signature on chain.
 *
 * @throws ServiceFault NOT_FOUND (no such session of this wallet, or it has expired), INVALID_REQUEST, INDEX_STALE
 */
export async function receiveWebhook(service: Service, delivery: Delivery): Promise<void> {
  if (await isActedOn(service.db, delivery.id)) return;
  const { event, id } = delivery;
  const { data, type } = event;
  const session = await findSession(service.db, data);
  const claim = type === 'verification.completed' ? await checkClaim(service, session, delivery) : null;
  await service.db.transaction().execute(async (trx) => {
    if (!(await recordDelivery(trx, { id, type, session_id: session.id, received_at: now(service) }))) return;
    if (claim) await queueCredential(trx, session.id, { claim, dueAt: now(service) });
    else if (type === 'verification.failed') await endSession(trx, session.id);
  });
  const level = type === 'credential.revoked' ? 'warn' : 'info';
  service.log[level]({ sessionId: session.id, type }, 'verifier webhook received');
}

const now = ({ clock }: Service) => BigInt(clock.now());

async function isActedOn(db: Kysely<Schema>, id: string): Promise<boolean> {
  const found = await db.selectFrom('webhook_delivery').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}

/** The session of the wallet that the message names: naming another wallet finds none. */
async function findSession(db: Kysely<Schema>, data: WebhookRequest['data']): Promise<VerificationSession> {
  const session = await db
    .selectFrom('verification_session')
    .selectAll()
    .where('id', '=', data.sessionId)
    .where('wallet', '=', data.wallet)
    .executeTakeFirst();
  if (!session) throw new ServiceFault('NOT_FOUND', 'There is no such verification session of this wallet.');
  return session;
}

async function checkClaim(
  service: Service,
  session: VerificationSession,
  { event, signal }: Delivery,
): Promise<CredentialClaim> {
  const closesAt = session.expires_at + BigInt(WEBHOOK_TOLERANCE_SECONDS) * 1000n;
  if (session.state === 'STARTED' && now(service) > closesAt) {
    throw new ServiceFault('NOT_FOUND', 'The verification session has expired.');
  }
  const { tip } = await assertIndexFresh(service, signal);
  const verifiers = await findAccounts(service, 'verifier');
  const { program, genesisHash } = service.settings;
  return readCredentialClaim(event.data, {
    program,
    genesisHash,
    activeAuthorities: verifiers.filter(({ data }) => data.active).map(({ data }) => data.authority),
    chainTime: tip.time,
  });
}

/** Whether this id is new; of two at once the second waits for the first and finds that it is not. */
async function recordDelivery(
  trx: Transaction<Schema>,
  delivery: { id: string; type: string; session_id: string; received_at: bigint },
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
  const { numUpdatedRows } = await trx
    .updateTable('verification_session')
    .set({
      state: 'ISSUING',
      verifier_authority: verifierAuthority,
      commitment: statement.commitment,
      issued_at: statement.issuedAt,
      credential_expires_at: statement.expiresAt,
      signature,
      due_at: dueAt,
    })
    .where('id', '=', id)
    .where('state', '=', 'STARTED')
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  const same = await trx
    .selectFrom('verification_session')
    .select('id')
    .where('id', '=', id)
    .where('commitment', '=', statement.commitment)
    .where('issued_at', '=', statement.issuedAt)
    .executeTakeFirst();
  if (!same) {
    throw new ServiceFault('INVALID_REQUEST', 'The verification session has ended: it takes one credential.');
  }
}

async function endSession(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx
    .updateTable('verification_session')
    .set({ state: 'FAILED', failure: 'The verifier did not verify the person.' })
    .where('id', '=', id)
    .where('state', '=', 'STARTED')
    .execute();
}
