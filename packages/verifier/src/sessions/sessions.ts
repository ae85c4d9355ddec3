/** Opens and finds the sessions of services. */
import type { HostedSessionRequest } from '@service/contract/verifier';
import { appendAudit } from '../audit/audit.ts';
import type { Session } from '../database/schema.ts';
import type { Verifier } from '../verifier.ts';
import { digestOf, newToken, phoneTokenOf } from './tokens.ts';

/**
 * Opens a session and returns the token of its page. A service that did not get the response asks again: then the session
 * gets another token. Returns null if a session with this id has begun, or is another one.
 */
export async function openSession(
  { db, clock }: Verifier,
  request: HostedSessionRequest,
): Promise<string | null> {
  const token = newToken();
  const now = clock.now();
  // Nobody has a page on the phone before a browser has the session.
  const tokens = { token_hash: digestOf(token), phone_token_hash: digestOf(newToken()) };
  const asked = {
    wallet: request.wallet,
    return_url: request.returnUrl,
    site_origin: request.siteOrigin,
    webhook_url: request.webhookUrl,
    expires_at: request.expiresAt * 1_000n,
  };
  return db.transaction().execute(async (tx) => {
    const row = {
      id: request.sessionId,
      ...tokens,
      ...asked,
      created_at: BigInt(now),
      state: 'OPEN' as const,
    };
    const inserted = await tx
      .insertInto('session')
      .values(row)
      .onConflict((on) => on.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) {
      const { sessionId: session, wallet, siteOrigin: site } = request;
      await appendAudit(tx, now, { what: 'session opened', session, wallet, site });
      return token;
    }
    const { numUpdatedRows } = await tx
      .updateTable('session')
      .set(tokens)
      .where('id', '=', request.sessionId)
      .where('browser_hash', 'is', null)
      .where((eb) => eb.and(asked))
      .executeTakeFirst();
    return numUpdatedRows === 1n ? token : null;
  });
}

/** Finds the session of a page by its token. Returns null for a wrong token and for a session that has expired. */
export function findSession(verifier: Verifier, token: string): Promise<Session | null> {
  return findLive(verifier, 'token_hash', token);
}

/** Finds the session of the page on the phone. */
export function findSessionOfPhone(verifier: Verifier, token: string): Promise<Session | null> {
  return findLive(verifier, 'phone_token_hash', token);
}

async function findLive(
  { db, clock }: Verifier,
  column: 'token_hash' | 'phone_token_hash',
  token: string,
): Promise<Session | null> {
  const session = await db
    .selectFrom('session')
    .selectAll()
    .where(column, '=', digestOf(token))
    .where('expires_at', '>', BigInt(clock.now()))
    .executeTakeFirst();
  return session ?? null;
}

/**
 * Lets one browser have a session: the one whose person agreed to the wallet. Returns false if another browser has it. Only
 * this browser gets the witness.
 */
export async function claimSession({ db }: Verifier, token: string, browserHash: string): Promise<boolean> {
  const phoneTokenHash = digestOf(phoneTokenOf(token, browserHash));
  const claimed = await db
    .updateTable('session')
    .set({ browser_hash: browserHash, phone_token_hash: phoneTokenHash })
    .where('token_hash', '=', digestOf(token))
    .where((eb) => eb.or([eb('browser_hash', 'is', null), eb('browser_hash', '=', browserHash)]))
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}
