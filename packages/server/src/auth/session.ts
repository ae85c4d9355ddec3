/** Sessions: an opaque token in an HttpOnly cookie, with its hash in the database (SPEC.md section 5). */
import { createHash, randomBytes } from 'node:crypto';
import { SESSION_LIFETIME_SECONDS } from '@service/contract';
import type { Address } from '@solana/kit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { ServiceFault } from '../http/failures/fault.ts';
import { originsOf } from '../http/origins.ts';
import type { RouteInput } from '../http/routing/route-types.ts';
import type { HttpContext } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';

/** The state of the session of a request. `elsewhere`: it belongs to the pages of another origin. */
export type SessionState =
  | { readonly state: 'live'; readonly wallet: Address }
  | { readonly state: 'expired' | 'elsewhere' | 'none' };

/** Opens a session of a wallet on the pages of an origin, and sets its cookie. Returns its expiry in Unix seconds. */
export async function openSession(
  service: Service,
  context: HttpContext,
  { wallet, origin }: { readonly wallet: Address; readonly origin: string },
): Promise<bigint> {
  const token = newToken();
  const createdAt = BigInt(service.clock.now());
  const expiresAt = createdAt + BigInt(SESSION_LIFETIME_SECONDS) * 1_000n;
  await service.db
    .insertInto('session')
    .values({ token_hash: hashOf(token), wallet, origin, created_at: createdAt, expires_at: expiresAt })
    .execute();
  const { name, attributes } = cookieOf(origin);
  setCookie(context, name, token, { ...attributes, maxAge: SESSION_LIFETIME_SECONDS });
  return expiresAt / 1_000n;
}

/** Returns a token of 256 random bits. It is never base58, because clients show addresses in errors and hide only other long texts. */
export function newToken(): string {
  for (;;) {
    const token = randomBytes(32).toString('base64url');
    if (/[^1-9A-HJ-NP-Za-km-z]/.test(token)) return token;
  }
}

/**
 * Returns the session of the request's cookie. A browser sends a cookie only to the host that set it, and no Origin with a
 * GET to the page's own origin. So a request without an Origin has the origin of its session.
 */
export async function readSession(service: Service, context: HttpContext): Promise<SessionState> {
  const page = context.req.header('origin');
  const names = new Set(originsOf(service.settings).map((origin) => cookieOf(origin).name));
  let found: SessionState = { state: 'none' };
  for (const name of names) {
    const session = await sessionOf(service, getCookie(context, name));
    // Accept a session only from the cookie of its origin. Any site of the domain can set a cookie without the prefix.
    if (!session || cookieOf(session.origin).name !== name) continue;
    if (page !== undefined && page !== session.origin) {
      if (found.state === 'none') found = { state: 'elsewhere' };
    } else if (session.expires_at <= BigInt(service.clock.now())) found = { state: 'expired' };
    else return { state: 'live', wallet: session.wallet };
  }
  return found;
}

/** Returns the session of a token. A session of an origin that is no longer in the settings does not count. */
async function sessionOf({ db, settings }: Service, token: string | undefined) {
  if (!token) return undefined;
  const row = await db
    .selectFrom('session')
    .select(['wallet', 'expires_at', 'origin'])
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst();
  const session = row && { ...row, origin: row.origin ?? settings.origin };
  return session && originsOf(settings).includes(session.origin) ? session : undefined;
}

/**
 * Returns the signed-in wallet.
 *
 * @throws ServiceFault AUTHENTICATION_REQUIRED, SESSION_EXPIRED, or ORIGIN_MISMATCH for a session of another origin
 */
export async function requireWallet(service: Service, context: HttpContext): Promise<Address> {
  const session = await readSession(service, context);
  switch (session.state) {
    case 'live':
      return session.wallet;
    case 'elsewhere':
      throw new ServiceFault(
        'ORIGIN_MISMATCH',
        'The session belongs to a page of another origin. Sign in on this page.',
      );
    case 'expired':
      throw new ServiceFault('SESSION_EXPIRED');
    case 'none':
      throw new ServiceFault('AUTHENTICATION_REQUIRED');
  }
}

/** Ends the request's session on the pages of an origin, if it has one. */
export async function endSession(service: Service, context: HttpContext, origin: string): Promise<void> {
  const token = getCookie(context, cookieOf(origin).name);
  if (!token) return;
  const isMain = origin === service.settings.origin;
  await service.db
    .deleteFrom('session')
    .where('token_hash', '=', hashOf(token))
    .where(({ eb, or }) => or([eb('origin', '=', origin), ...(isMain ? [eb('origin', 'is', null)] : [])]))
    .execute();
}

/** Ends the request's session, and deletes its cookie. */
export async function signOut(service: Service, { context, origin }: RouteInput<'logout'>) {
  await endSession(service, context, origin);
  const { name, attributes } = cookieOf(origin);
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
