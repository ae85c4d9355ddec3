import type { WebhookRequest } from '@service/contract';
import { HOSTED_SESSIONS_PATH, type HostedSessionRequest, verifyWebhook } from '@service/contract/verifier';
import type { KeyPairSigner } from '@solana/kit';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Logger } from 'pino';
import { type Attestation, attest, signRevocation, witnessFragment } from './attest.ts';
import { contentSecurityPolicy, setSecurityHeaders } from './headers.ts';
import { HostedSessions } from './hosted-sessions.ts';
import { type Listener, type ListenOptions, listen } from './listen.ts';
import { formPage, messagePage, revokePage } from './pages.ts';
import { readForm } from './read-form.ts';
import { readSessionRequest } from './read-session-request.ts';
import { type ReportOutcome, sendReport } from './send-report.ts';

/** Options of a sandbox verifier. */
export interface SandboxVerifierOptions {
  /** The key of the verifier authority: a key pair, or a signer with one. */
  readonly authority: KeyPairSigner['keyPair'] | Pick<KeyPairSigner, 'keyPair'>;
  /** The Standard Webhooks secret that it shares with the service: `whsec_` and base64. */
  readonly webhookSecret: string;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Unix milliseconds. @default Date */
  readonly clock?: { now(): number };
  /** Seconds until a credential expires. @default 365 days */
  readonly credentialLifetimeSeconds?: number;
  /** Milliseconds before each retry of the webhook. @default 250, 500, 1000, 2000 */
  readonly retryDelaysMs?: readonly number[];
  /** File that keeps the sessions over a restart. @default in memory */
  readonly sessionsFile?: string;
  /** Sends the webhooks. @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/** A sandbox verifier. */
export interface SandboxVerifier {
  readonly app: Hono;
  listen(options?: ListenOptions): Promise<Listener>;
}

const MAX_BODY_BYTES = 16_384;
const LINK_INVALID =
  'This link was used, has expired, or is wrong. Go back to the site and start the verification again.';

/** A message to the service, without its time. */
type Report = { [E in WebhookRequest as E['type']]: Omit<E, 'timestamp'> }[WebhookRequest['type']];

/**
 * Creates a sandbox verifier, which replaces a real verifier in development. Its page accepts any region, status and birth
 * date, or refuses the person. It signs the credential with a key that the service does not have, and reports by webhook.
 * It sends the person back with the witness in the URL's fragment (SPEC.md section 1). The same secret link later revokes
 * the credential. It listens only after `listen`.
 */
export function createSandboxVerifier(options: SandboxVerifierOptions): SandboxVerifier {
  const { clock = Date, log, credentialLifetimeSeconds = 365 * 86_400 } = options;
  const keyPair = 'keyPair' in options.authority ? options.authority.keyPair : options.authority;
  const sessions = new HostedSessions(options.sessionsFile);
  const app = new Hono();

  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));
  app.use(async (c, next) => {
    await next();
    setSecurityHeaders(c.res.headers);
  });
  app.onError((error, c) => {
    log.error({ name: error.name }, 'the sandbox verifier failed');
    setSecurityHeaders(c.res.headers);
    return c.html(messagePage('Something went wrong', 'Go back to the site and start again.'), 500);
  });
  app.notFound((c) => c.html(messagePage('Page not found', LINK_INVALID), 404));

  app.post(HOSTED_SESSIONS_PATH, async (c) => {
    const body = await c.req.text();
    const { webhookSecret: secret } = options;
    const verdict = verifyWebhook({ secret, now: clock.now(), body, headers: c.req.raw.headers });
    if (!verdict.authentic) return c.json({ error: { message: verdict.reason } }, 401);
    const session = readSessionRequest(body);
    if (!session)
      return c.json({ error: { message: 'The session is malformed. See docs/verifiers.md.' } }, 400);
    const token = sessions.open(session);
    log.info({ sessionId: session.sessionId }, 'hosted session opened');
    return c.json({ url: new URL(`/verify/${token}`, c.req.url).href });
  });

  app.get('/verify/:token', (c) => {
    const token = c.req.param('token');
    const session = sessions.get(token, clock.now());
    if (session) return showForm(c, session, { action: `/verify/${token}` }, 200);
    const verified = sessions.getVerified(token);
    if (!verified) return c.notFound();
    c.header('Content-Security-Policy', contentSecurityPolicy("'self'"));
    return c.html(revokePage(verified, `/verify/${token}/revoke`));
  });

  app.post('/verify/:token', async (c) => {
    const token = c.req.param('token');
    const fields = await c.req.parseBody();
    const session = sessions.get(token, clock.now());
    if (!session) return c.notFound();
    const form = readForm(fields, clock.now());
    if (!form.ok) {
      const { problems } = form;
      return showForm(c, session, { action: `/verify/${token}`, entered: fields, problems }, 422);
    }
    // Before the first await, so that a second click finds no open session.
    sessions.use(token);
    const { wallet, program, genesisHash } = session;
    const issuedAt = sessions.signingTime(wallet, 'credential', clock.now());
    const attestation = await attest({
      attributes: form.attributes,
      wallet,
      program,
      genesisHash,
      issuedAt,
      expiresAt: issuedAt + BigInt(credentialLifetimeSeconds),
      privateKey: keyPair.privateKey,
    });
    const outcome = await report(session, completedReport(session, attestation));
    log.info({ sessionId: session.sessionId, ...outcome }, 'verification reported');
    if (outcome.outcome !== 'received') {
      sessions.end(token);
      const message =
        'The site did not accept the result. Go back to the site and start the verification again.';
      return c.html(messagePage('Not verified', message), 502);
    }
    sessions.verified(token);
    const target = new URL(session.returnUrl);
    target.hash = witnessFragment(attestation.witness);
    return c.redirect(target.href, 303);
  });

  app.post('/verify/:token/refuse', async (c) => {
    const token = c.req.param('token');
    const session = sessions.get(token, clock.now());
    if (!session) return c.notFound();
    // Before the first await, so that a second click finds no open session.
    sessions.end(token);
    const { sessionId, wallet, returnUrl } = session;
    const outcome = await report(session, { type: 'verification.failed', data: { sessionId, wallet } });
    log.info({ sessionId, ...outcome }, 'refusal reported');
    if (outcome.outcome === 'received') return c.redirect(returnUrl, 303);
    const message =
      'The site did not accept the report. Go back to the site and start the verification again.';
    return c.html(messagePage('Not reported', message), 502);
  });

  app.post('/verify/:token/revoke', async (c) => {
    const token = c.req.param('token');
    const session = sessions.getVerified(token);
    if (!session) return c.notFound();
    const { wallet, program, genesisHash, sessionId } = session;
    const revokedAt = sessions.signingTime(wallet, 'revocation', clock.now());
    const statement = { program, genesisHash, wallet, revokedAt };
    const signature = base64(await signRevocation(keyPair.privateKey, statement));
    const data = { sessionId, wallet, revokedAt, signature };
    const outcome = await report(session, { type: 'credential.revoked', data });
    log.info({ sessionId, ...outcome }, 'revocation reported');
    if (outcome.outcome !== 'received') {
      return c.html(messagePage('Not revoked', 'The site did not accept the revocation. Try again.'), 502);
    }
    sessions.end(token);
    return c.html(messagePage('Revoked', 'The credential will be revoked on chain within seconds.'));
  });

  function showForm(
    c: Context,
    session: HostedSessionRequest,
    state: Omit<Parameters<typeof formPage>[0], 'session' | 'today'>,
    status: 200 | 422,
  ) {
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    // Browsers also check form-action against the URL that the form's response redirects to.
    c.header('Content-Security-Policy', contentSecurityPolicy(`'self' ${session.siteOrigin}`));
    return c.html(formPage({ session, today, ...state }), status);
  }

  function report({ webhookUrl }: HostedSessionRequest, message: Report): Promise<ReportOutcome> {
    return sendReport({
      webhookUrl,
      webhookSecret: options.webhookSecret,
      now: () => clock.now(),
      retryDelaysMs: options.retryDelaysMs ?? [250, 500, 1_000, 2_000],
      fetch: options.fetch ?? globalThis.fetch,
      event: { ...message, timestamp: new Date(clock.now()).toISOString() },
    });
  }

  return { app, listen: (at) => listen(app, at) };
}

function completedReport(
  { sessionId, wallet }: HostedSessionRequest,
  { statement, signature }: Attestation,
): Report {
  const { commitment, issuedAt, expiresAt } = statement;
  return {
    type: 'verification.completed',
    data: {
      sessionId,
      wallet,
      commitment: Buffer.from(commitment).toString('hex'),
      issuedAt,
      expiresAt,
      signature: base64(signature),
    },
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
