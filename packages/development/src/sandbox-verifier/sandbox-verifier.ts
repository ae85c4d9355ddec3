/**
 * The sandbox verifier: for development, in place of a provider that checks people. It hosts a page on its own port,
 * takes a person's word for region, status and birth date, signs the credential with a key that the service never
 * has, reports by webhook, and sends the person back with the witness in the fragment (SPEC.md section 1). The page's
 * link, which is secret, revokes the credential afterwards.
 */
import type { WebhookRequest } from '@service/contract';
import {
  HOSTED_SESSIONS_PATH,
  type HostedSessionRequest,
  hostedSessionRequest,
  returnUrlUnder,
  verifyWebhook,
} from '@service/server/verifier-protocol';
import type { KeyPairSigner } from '@solana/kit';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { type Attestation, attest, signRevocation, witnessFragment } from './attest.ts';
import { HostedSessions } from './hosted-sessions.ts';
import { type Listener, type ListenOptions, listen } from './listen.ts';
import { formPage, messagePage, revokePage, STYLE_SOURCE } from './pages.ts';
import { readForm } from './read-form.ts';
import { type ReportOutcome, report } from './send-report.ts';

export type { Listener, ListenOptions };

/** What a sandbox verifier needs. */
export interface SandboxVerifierOptions {
  /** The verifier authority's key: a key pair, or a signer that holds one. */
  readonly authority: KeyPairSigner['keyPair'] | Pick<KeyPairSigner, 'keyPair'>;
  /** The Standard Webhooks secret that it shares with the service, `whsec_` and base64. */
  readonly webhookSecret: string;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Unix milliseconds. @default Date */
  readonly clock?: { now(): number };
  /** Seconds for which a credential lasts. @default 365 days */
  readonly credentialLifetimeSeconds?: number;
  /** Milliseconds before each further try of the webhook. @default 250, 500, 1000, 2000 */
  readonly retryDelaysMs?: readonly number[];
  /** File that keeps the sessions over a restart. @default in memory */
  readonly sessionsFile?: string;
  /** Reaches the service's webhook. @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/** A sandbox verifier: its app, and a way to serve it. */
export interface SandboxVerifier {
  readonly app: Hono;
  listen(options?: ListenOptions): Promise<Listener>;
}

const MAX_BODY_BYTES = 16_384;
const GONE =
  'This link was used, has expired, or never was. Go back to the site and start verification again.';

/** A message to the service, apart from its time. */
type Said = { [E in WebhookRequest as E['type']]: Omit<E, 'timestamp'> }[WebhookRequest['type']];

/** Builds a sandbox verifier; nothing listens until `listen`. */
export function createSandboxVerifier(options: SandboxVerifierOptions): SandboxVerifier {
  const { clock = Date, log, credentialLifetimeSeconds = 365 * 86_400 } = options;
  const keyPair = 'keyPair' in options.authority ? options.authority.keyPair : options.authority;
  const sessions = new HostedSessions(options.sessionsFile);
  const app = new Hono();

  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));
  app.use(async (c, next) => {
    await next();
    protect(c.res.headers);
  });
  app.onError((error, c) => {
    log.error({ name: error.name }, 'sandbox verifier failed');
    protect(c.res.headers);
    return c.html(messagePage('Something went wrong', 'Go back to the site and start again.'), 500);
  });
  app.notFound((c) => c.html(messagePage('Nothing here', GONE), 404));

  app.post(HOSTED_SESSIONS_PATH, async (c) => {
    const body = await c.req.text();
    const verdict = verifyWebhook({
      secret: options.webhookSecret,
      now: clock.now(),
      body,
      headers: c.req.raw.headers,
    });
    if (!verdict.authentic) return c.json({ error: { message: verdict.reason } }, 401);
    const session = readSession(body);
    if (!session) return c.json({ error: { message: 'the session is malformed' } }, 400);
    const token = sessions.open(session);
    log.info({ sessionId: session.sessionId }, 'hosted session opened');
    return c.json({ url: new URL(`/verify/${token}`, c.req.url).href });
  });

  app.get('/verify/:token', (c) => {
    const token = c.req.param('token');
    const session = sessions.get(token, clock.now());
    if (session) return form(c, session, {}, 200);
    const verified = sessions.getVerified(token);
    if (!verified) return c.notFound();
    c.header('Content-Security-Policy', policy("'self'"));
    return c.html(revokePage(verified, `/verify/${token}/revoke`));
  });

  app.post('/verify/:token/revoke', async (c) => {
    const token = c.req.param('token');
    const session = sessions.getVerified(token);
    if (!session) return c.notFound();
    const { wallet, program, genesisHash } = session;
    const revokedAt = sessions.signingTime(wallet, 'revocation', clock.now());
    const statement = { program, genesisHash, wallet, revokedAt };
    const signature = await signRevocation(keyPair.privateKey, statement);
    const outcome = await tell(session, {
      type: 'credential.revoked',
      data: { sessionId: session.sessionId, wallet, revokedAt, signature: base64(signature) },
    });
    log.info({ sessionId: session.sessionId, ...outcome }, 'revocation reported');
    if (outcome.outcome !== 'received') {
      return c.html(messagePage('Not revoked', 'The site could not take the revocation. Try again.'), 502);
    }
    sessions.end(token);
    return c.html(messagePage('Revoked', 'The credential is revoked on chain within seconds.'));
  });

  app.post('/verify/:token', async (c) => {
    const token = c.req.param('token');
    const fields = await c.req.parseBody();
    const session = sessions.get(token, clock.now());
    if (!session) return c.notFound();
    const read = readForm(fields, clock.now());
    if (!read.ok) return form(c, session, { given: fields, problems: read.problems }, 422);
    // From here on the link is used, before anything is waited for: a second click finds nothing.
    sessions.use(token);
    const issuedAt = sessions.signingTime(session.wallet, 'credential', clock.now());
    const attestation = await attest({
      attributes: read.attributes,
      wallet: session.wallet,
      program: session.program,
      genesisHash: session.genesisHash,
      issuedAt,
      expiresAt: issuedAt + BigInt(credentialLifetimeSeconds),
      privateKey: keyPair.privateKey,
    });
    const outcome = await reportCompleted(session, attestation);
    log.info({ sessionId: session.sessionId, ...outcome }, 'verification reported');
    if (outcome.outcome !== 'received') {
      sessions.end(token);
      const message = 'The site could not take the result. Go back to it and start verification again.';
      return c.html(messagePage('Not verified', message), 502);
    }
    sessions.verified(token);
    const target = new URL(session.returnUrl);
    target.hash = witnessFragment(attestation.witness);
    return c.redirect(target.href, 303);
  });

  function form(
    c: Context,
    session: HostedSessionRequest,
    state: Partial<Parameters<typeof formPage>[0]>,
    status: 200 | 422,
  ) {
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    // Browsers hold the policy's form-action also against where the answer to the form redirects to.
    c.header('Content-Security-Policy', policy(`'self' ${session.siteOrigin}`));
    return c.html(formPage({ session, today, ...state }), status);
  }

  function reportCompleted(session: HostedSessionRequest, attestation: Attestation): Promise<ReportOutcome> {
    const { statement, signature } = attestation;
    return tell(session, {
      type: 'verification.completed',
      data: {
        sessionId: session.sessionId,
        wallet: session.wallet,
        commitment: Buffer.from(statement.commitment).toString('hex'),
        issuedAt: statement.issuedAt,
        expiresAt: statement.expiresAt,
        signature: base64(signature),
      },
    });
  }

  function tell({ webhookUrl }: HostedSessionRequest, said: Said): Promise<ReportOutcome> {
    return report({
      webhookUrl,
      webhookSecret: options.webhookSecret,
      now: () => clock.now(),
      retryDelaysMs: options.retryDelaysMs ?? [250, 500, 1_000, 2_000],
      fetch: options.fetch ?? globalThis.fetch,
      event: { ...said, timestamp: new Date(clock.now()).toISOString() },
    });
  }

  return { app, listen: (at) => listen(app, at) };
}

/** The session that the service asks for, or null: the return URL must lie under the site that it names. */
function readSession(body: string): HostedSessionRequest | null {
  const parsed = z.safeDecode(hostedSessionRequest, parseJson(body) as z.input<typeof hostedSessionRequest>);
  if (!parsed.success) return null;
  const { returnUrl, siteOrigin, webhookUrl } = parsed.data;
  const isSite = /^https?:/.test(siteOrigin) && new URL(siteOrigin).origin === siteOrigin;
  return isSite && /^https?:/.test(webhookUrl) && returnUrlUnder(siteOrigin, returnUrl) === returnUrl
    ? parsed.data
    : null;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function policy(formAction: string): string {
  return `default-src 'none'; style-src ${STYLE_SOURCE}; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
}

/** Headers of every answer: kept by nobody, framed by nobody, no script, no referrer. */
function protect(headers: Headers): void {
  headers.set('Cache-Control', 'no-store');
  headers.set('Referrer-Policy', 'no-referrer');
  headers.set('X-Content-Type-Options', 'nosniff');
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', policy("'none'"));
}
