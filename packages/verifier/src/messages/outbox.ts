/** The outbox: messages that a service must get, also after a crash. A message stays here until the service accepts it. */
import { randomUUID } from 'node:crypto';
import type { WebhookRequest } from '@service/contract';
import { type RevocationStatement, revocationMessage } from '@service/protocol';
import { type Kysely, sql } from 'kysely';
import { appendAudit } from '../audit/audit.ts';
import type { Message, MessageTable, Schema } from '../database/schema.ts';
import { reserveSigningTime } from '../database/signing-time.ts';
import type { Verifier } from '../verifier.ts';
import { sendMessage } from './send-message.ts';

/** Messages that one step sends. */
const BATCH = 20;
/** Milliseconds before each retry. The last one repeats, without an end for a revocation. */
const RETRY_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
/**
 * After so many attempts, a message that the service rejects is given up, because the service has ended the session. The
 * revocation of a credential that the service can have is not given up before the credential expires.
 */
const MOST_ATTEMPTS = 3;

/** Puts a message into the outbox. Call it in the transaction that makes it necessary. `now` is in Unix milliseconds. */
export async function putMessage(
  db: Kysely<Schema>,
  now: number,
  message: Pick<MessageTable, 'session_id' | 'type' | 'wallet'>,
): Promise<void> {
  const id = `msg_${randomUUID()}`;
  await db
    .insertInto('message')
    .values({ ...message, id, created_at: BigInt(now), due_at: BigInt(now) })
    .execute();
}

/** Sends the messages that are due. Returns how many it tried. */
export async function sendDueMessages(verifier: Verifier): Promise<number> {
  const { db, clock } = verifier;
  const now = BigInt(clock.now());
  // The next attempt is set first. If this process dies, another one repeats the message then.
  const { rows } = await sql<Message & { webhook_url: string }>`
    update message set attempts = attempts + 1,
      due_at = ${now} + (array[${sql.join(RETRY_MS)}]::bigint[])[least(attempts + 1, ${RETRY_MS.length})]
    from session
    where session.id = message.session_id and message.id in (
      select id from message where due_at <= ${now} order by due_at limit ${BATCH} for update skip locked)
    returning message.*, session.webhook_url`.execute(db);
  await Promise.all(rows.map((row) => sendRow(verifier, row)));
  return rows.length;
}

async function sendRow(verifier: Verifier, row: Message & { webhook_url: string }): Promise<void> {
  const event = row.type === 'credential.revoked' ? await revocationEvent(verifier, row) : eventOf(row);
  const outcome = await sendMessage(verifier, { id: row.id, webhookUrl: row.webhook_url, event });
  const { db, clock } = verifier;
  const isGivenUp =
    outcome === 'rejected' && row.attempts >= MOST_ATTEMPTS && !(await isNeededRevocation(db, row));
  if (outcome !== 'accepted' && !isGivenUp) return;
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('message').set({ due_at: null }).where('id', '=', row.id).execute();
    if (row.type !== 'credential.revoked' || outcome !== 'accepted') return;
    const { session_id: session, wallet } = row;
    await appendAudit(tx, clock.now(), { what: 'revocation accepted', session, wallet });
  });
}

/** A credential whose report got no response may have reached the service, too. Credentials are deleted when they expire. */
async function isNeededRevocation(db: Kysely<Schema>, { type, session_id }: Message): Promise<boolean> {
  if (type !== 'credential.revoked') return false;
  const needed = await db
    .selectFrom('credential')
    .select('commitment')
    .where('session_id', '=', session_id)
    .where('state', '<>', 'REJECTED')
    .executeTakeFirst();
  return needed !== undefined;
}

function eventOf({ type, session_id, wallet, created_at }: Message): WebhookRequest {
  const data = { sessionId: session_id, wallet };
  return { type, timestamp: new Date(Number(created_at)).toISOString(), data } as WebhookRequest;
}

/** Signs a revocation before it is sent for the first time. Every attempt has the same bytes. @throws KeyError */
async function revocationEvent(verifier: Verifier, row: Message): Promise<WebhookRequest> {
  const { revoked_at: revokedAt, signature } =
    row.signature === null ? await signRevocation(verifier, row) : row;
  const { session_id: sessionId, wallet } = row;
  return {
    type: 'credential.revoked',
    timestamp: new Date(Number(row.created_at)).toISOString(),
    data: { sessionId, wallet, revokedAt, signature },
  } as WebhookRequest;
}

async function signRevocation(verifier: Verifier, { id, wallet, session_id: session }: Message) {
  const { db, clock, settings, attestationKey } = verifier;
  const now = clock.now();
  const revokedAt = await reserveSigningTime(db, { wallet, what: 'revocation', now });
  const { program, genesisHash } = settings;
  const statement: RevocationStatement = { program, genesisHash, wallet, revokedAt };
  const signed = Buffer.from(await attestationKey.sign(revocationMessage(statement))).toString('base64');
  return db.transaction().execute(async (tx) => {
    const own = { revoked_at: revokedAt, signature: signed };
    const { numUpdatedRows } = await tx
      .updateTable('message')
      .set(own)
      .where('id', '=', id)
      .where('signature', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      // Another process signed it meanwhile.
      return tx.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    }
    await appendAudit(tx, now, { what: 'revocation signed', session, wallet, revokedAt: `${revokedAt}` });
    return own;
  });
}
