/** `GET /api/events`: a stream of events, for a wallet or for a dApp's backend (SPEC.md section 6). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { eventsQuery, resumeField } from '@service/contract';
import * as z from 'zod/mini';
import { requireSession } from '../../auth/session.ts';
import { ServiceFault } from '../../http/failures/fault.ts';
import { defineFile } from '../../http/routing/define-file.ts';
import { decode, readQuery } from '../../http/routing/define-route.ts';
import type { HttpApp, HttpContext } from '../../http/routing/variables.ts';
import type { Service } from '../../service.ts';
import type { Audience } from './stream.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // nginx buffers responses otherwise.
  'X-Accel-Buffering': 'no',
};

/** Serves the stream. */
export function registerEventStreams(app: HttpApp, service: Service): void {
  defineFile(app, service, 'events', async (context) => {
    const audience = await audienceOf(service, context);
    if (audience.wallet !== null) await service.limits.takeWallet(audience.wallet, 'events');
    const after = readAfter(context);
    // Nobody would read the body of a stream that HEAD opened.
    if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS);
    const { body } = await service.streams.open({ audience, after });
    return context.body(body, 200, HEADERS);
  });
}

/** Returns whose events a request may read. A wrong token is rejected even if the request has a session. */
async function audienceOf(service: Service, context: HttpContext): Promise<Audience> {
  const authorization = context.req.header('Authorization');
  if (authorization !== undefined) {
    if (isToken(service.settings.events?.token, authorization)) return { wallet: null };
    throw new ServiceFault(
      'AUTHENTICATION_REQUIRED',
      'This service does not accept the token. Send `Authorization: Bearer` and the EVENTS_TOKEN that the service has, if it has one.',
    );
  }
  const { wallet, tokenHash, expiresAt } = await requireSession(service, context);
  return {
    wallet,
    session: tokenHash,
    expiresAt: Number(expiresAt),
    address: service.clientAddress(context),
  };
}

/** Compares in a time that does not depend on the token. */
function isToken(token: string | undefined, authorization: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined || given === undefined) return false;
  const [a, b] = [token, given].map((each) => createHash('sha256').update(each).digest());
  return timingSafeEqual(a!, b!);
}

/** Reads where to begin. A browser that reconnects sends the header, and the query of its first request again. */
function readAfter(context: HttpContext): string | null {
  const { after } = decode(eventsQuery, readQuery(context), 'query') as z.output<typeof eventsQuery>;
  const last = context.req.header('Last-Event-ID');
  if (!last) return after ?? null;
  if (!z.safeParse(resumeField, last).success) {
    throw new ServiceFault(
      'INVALID_REQUEST',
      'Last-Event-ID is neither the id of an event nor `oldest`. Leave it out to get new events.',
    );
  }
  return last;
}
