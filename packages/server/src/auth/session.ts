/** Sessions: an opaque token in an HttpOnly cookie, with its hash in the database (SPEC.md section 5). */
import { createHash, randomBytes } from 'node:crypto';
import { SESSION_LIFETIME_SECONDS } from '@service/contract';
import type { Address } from '@solana/kit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { ServiceFault } from '../http/failures/fault.ts';
import type { RouteInput } from '../http/routing/route-types.ts';
import type { HttpContext } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';

/** The state of the session of a request. */
export type SessionState =
  | { readonly state: 'live'; readonly wallet: Address }
  | { readonly state: 'expired' | 'none' };

/** Opens a session for a wallet and sets its cookie. Returns its expiry in Unix seconds. */
export async function openSession(service: Service, context: HttpContext, wallet: Address): Promise<bigint> {
  const token = randomBytes(32).toString('base64url');
  const createdAt = BigInt(service.clock.now());
  const expiresAt = createdAt + BigInt(SESSION_LIFETIME_SECONDS) * 1_000n;
  await service.db
    .insertInto('session')
    .values({ token_hash: hashOf(token), wallet, created_at: createdAt, expires_at: expiresAt })
    .execute();
  const { name, attributes } = cookieOf(service.settings.origin);
  setCookie(context, name, token, { ...attributes, maxAge: SESSION_LIFETIME_SECONDS });
  return expiresAt / 1_000n;
}

/** Returns the session of the request's cookie. */
export async function readSession(service: Service, context: HttpContext): Promise<SessionState> {
  const token = getCookie(context, cookieOf(service.settings.origin).name);
  if (!token) return { state: 'none' };
  const session = await service.db
    .selectFrom('session')
    .select(['wallet', 'expires_at'])
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (!session) return { state: 'none' };
  if (session.expires_at <= BigInt(service.clock.now())) return { state: 'expired' };
  return { state: 'live', wallet: session.wallet };
}

/** Returns the signed-in wallet. @throws ServiceFault AUTHENTICATION_REQUIRED or SESSION_EXPIRED */
export async function requireWallet(service: Service, context: HttpContext): Promise<Address> {
  const session = await readSession(service, context);
  if (session.state === 'live') return session.wallet;
  throw new ServiceFault(session.state === 'expired' ? 'SESSION_EXPIRED' : 'AUTHENTICATION_REQUIRED');
}

/** Ends the request's session, if it has one. */
export async function endSession(service: Service, context: HttpContext): Promise<void> {
  const token = getCookie(context, cookieOf(service.settings.origin).name);
  if (token) await service.db.deleteFrom('session').where('token_hash', '=', hashOf(token)).execute();
}

/** Ends the request's session, and deletes its cookie. */
export async function signOut(service: Service, { context }: RouteInput<'logout'>) {
  await endSession(service, context);
  const { name, attributes } = cookieOf(service.settings.origin);
  deleteCookie(context, name, attributes);
  return { wallet: null };
}

/**
 * Returns the name and attributes of the session cookie. On https, the prefix prevents other hosts and paths of the domain
 * from setting it. On http, browsers reject the prefix.
 */
export function cookieOf(origin: string) {
  const secure = origin.startsWith('https:');
  return {
    name: secure ? '__Host-session' : 'session',
    attributes: { httpOnly: true, sameSite: 'Lax', path: '/', secure } as const,
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
