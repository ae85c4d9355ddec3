/** The HTTP interface of a verifier: for services, for people, for the provider, and for the operator's monitoring. */
import { HOSTED_SESSIONS_PATH } from '@service/contract/verifier';
import { logError } from '@service/process';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { scheduleReading } from '../checks/read-decisions.ts';
import { KeyError } from '../keys/keys.ts';
import { contentSecurityPolicy } from '../pages/page.ts';
import { messagePage } from '../pages/session-pages.ts';
import { TEXTS } from '../pages/texts.ts';
import { ProviderError, WebhookError } from '../provider.ts';
import { openSession } from '../sessions/sessions.ts';
import { readSession } from '../sites/agreed-sites.ts';
import type { Verifier } from '../verifier.ts';
import { createRateLimits, limited } from './rate-limits.ts';
import { languageOf, sessionRoutes } from './session-routes.ts';

/** The path of the provider's webhook. */
export const WEBHOOK_PATH = '/webhook';

const MAX_BODY_BYTES = 65_536;
/** Providers send whole applicants. */
const MAX_WEBHOOK_BYTES = 1_000_000;

/** Returns the network address of a request. */
export type AddressOf = (c: Context) => string;

/** Creates the app. `isReady` tells whether the database responds. */
export function createApp(
  verifier: Verifier,
  { addressOf, isReady }: { readonly addressOf: AddressOf; readonly isReady: () => Promise<boolean> },
): Hono {
  const { settings, clock, log, provider, metrics } = verifier;
  const take = createRateLimits(metrics);
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    setSecurityHeaders(c.res.headers);
  });
  app.get('/health/live', (c) => c.json({ status: 'ok' }));
  app.get('/health/ready', async (c) =>
    (await isReady()) ? c.json({ status: 'ok' }) : c.json({ status: 'failed' }, 503),
  );

  app.post(HOSTED_SESSIONS_PATH, bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) => {
    const refused = (status: 400 | 401 | 409 | 429, message: string) =>
      c.json({ error: { message } }, status);
    const wait = await take('sessions', addressOf(c));
    if (wait !== null) return refused(429, `Too many sessions. Retry in ${wait} s.`);
    const body = await c.req.text();
    const verdict = readSession(
      { body, headers: c.req.raw.headers, now: clock.now() },
      { sites: settings.sites, signedFor: { program: settings.program, genesisHash: settings.genesisHash } },
    );
    if ('status' in verdict) {
      log.warn({ reason: verdict.reason }, 'a session was rejected');
      return refused(verdict.status, verdict.reason);
    }
    const { sessionId } = verdict.session;
    const token = await openSession(verifier, verdict.session);
    if (token === null) return refused(409, 'A session with this id exists. Use another id.');
    log.info({ session: sessionId }, 'session opened');
    return c.json({ url: `${settings.origin}/verify/${token}` });
  });

  app.post(WEBHOOK_PATH, bodyLimit({ maxSize: MAX_WEBHOOK_BYTES }), async (c) => {
    const wait = await take('webhooks', addressOf(c));
    if (wait !== null) return c.text('Too many requests.', 429, { 'Retry-After': `${wait}` });
    const body = new Uint8Array(await c.req.arrayBuffer());
    const id = await provider.readWebhook(body, c.req.raw.headers, clock.now());
    if (id !== null) await scheduleReading(verifier, id);
    return c.text('ok');
  });

  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));
  app.use(csrf({ origin: settings.origin }));
  app.use(async (c, next) => {
    const wait = await take('address', addressOf(c));
    return wait === null ? next() : limited(c, wait, languageOf(c));
  });
  if (provider.pages)
    app.route(
      '/provider',
      provider.pages((id) => scheduleReading(verifier, id)),
    );
  app.route('/', sessionRoutes(verifier, take));

  app.onError((error, c) => {
    const language = languageOf(c);
    const t = TEXTS[language];
    if (error instanceof WebhookError) {
      log.warn({ why: error.message }, 'a webhook was rejected');
      return c.text('Not authentic.', 401);
    }
    // A request that is too large or from another site is no defect. Its sender could fill the log.
    if (error instanceof HTTPException) return error.getResponse();
    const isOutage = error instanceof ProviderError || error instanceof KeyError;
    logError(log, error, isOutage ? 'a request could not be completed' : 'a request failed', {
      stack: !isOutage,
    });
    const again = c.req.method === 'GET' ? c.req.path : `${c.req.path.split('/').slice(0, 3).join('/')}`;
    const shown = isOutage
      ? { title: t.unreachable, text: t.unreachableText, again }
      : { title: t.failed, text: t.failedText };
    return c.html(messagePage(language, shown), isOutage ? 503 : 500);
  });
  app.notFound((c) => {
    const language = languageOf(c);
    const { invalid: title, invalidText: text } = TEXTS[language];
    return c.html(messagePage(language, { title, text }), 404);
  });
  return app;
}

/** Sets the headers of every response: no caching, no framing, no referrer for others, and no script or form but the pages' own. */
function setSecurityHeaders(headers: Headers): void {
  headers.set('Cache-Control', 'no-store');
  // With `no-referrer`, older browsers send forms with the origin `null`, which the check of the origin rejects.
  headers.set('Referrer-Policy', 'same-origin');
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  if (!headers.has('Content-Security-Policy')) {
    headers.set('Content-Security-Policy', contentSecurityPolicy([`'self'`]));
  }
}
