/** The routes: one that the service calls to open a session, and those of the secret link that a person opens. */
import { HOSTED_SESSIONS_PATH, type HostedSessionRequest, verifyWebhook } from '@service/contract/verifier';
import type { Context, Hono } from 'hono';
import { witnessFragment } from './attest.ts';
import { Decisions } from './decisions.ts';
import { contentSecurityPolicy } from './headers.ts';
import { HostedSessions } from './hosted-sessions.ts';
import type { SandboxVerifierOptions } from './options.ts';
import { formPage, messagePage, revokePage } from './pages.ts';
import { readForm } from './read-form.ts';
import { readSessionRequest } from './read-session-request.ts';

/** The text for a link that does nothing. */
export const LINK_INVALID =
  'This link was used, has expired, or is wrong. Go back to the site and start the verification again.';

const START_AGAIN = 'Go back to the site and start the verification again.';

/** Adds the routes of a verifier to an app. */
export function addRoutes(app: Hono, options: SandboxVerifierOptions): void {
  const { clock = Date, log, webhookSecret: secret } = options;
  const sessions = new HostedSessions(options.sessionsFile);
  const decisions = new Decisions(options, sessions);

  app.post(HOSTED_SESSIONS_PATH, async (c) => {
    const body = await c.req.text();
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
    const open = sessions.get(token, clock.now());
    if (open) return showForm(c, open, { now: clock.now(), token });
    const verified = sessions.getVerified(token);
    return verified ? showRevocation(c, verified, token) : c.notFound();
  });

  app.post('/verify/:token', async (c) => {
    const token = c.req.param('token');
    const entered = await c.req.parseBody();
    const now = clock.now();
    const session = sessions.get(token, now);
    if (!session) return c.notFound();
    const form = readForm(entered, now);
    if (!form.ok) return showForm(c, session, { now, token, entered, problems: form.problems });
    const witness = await decisions.verify(token, session, form);
    if (!witness) return showFailure(c, 'Not verified', `The site did not accept the result. ${START_AGAIN}`);
    const target = new URL(session.returnUrl);
    target.hash = witnessFragment(witness);
    return c.redirect(target.href, 303);
  });

  app.post('/verify/:token/refuse', async (c) => {
    const token = c.req.param('token');
    const session = sessions.get(token, clock.now());
    if (!session) return c.notFound();
    if (await decisions.refuse(token, session)) return c.redirect(session.returnUrl, 303);
    return showFailure(c, 'Not reported', `The site did not accept the report. ${START_AGAIN}`);
  });

  app.post('/verify/:token/revoke', async (c) => {
    const token = c.req.param('token');
    const session = sessions.getVerified(token);
    if (!session) return c.notFound();
    if (!(await decisions.revoke(token, session)))
      return showFailure(c, 'Not revoked', 'The site did not accept the revocation. Try again.');
    return c.html(messagePage('Revoked', 'The credential will be revoked on chain within seconds.'));
  });
}

type FormState = Pick<Parameters<typeof formPage>[0], 'entered' | 'problems'> & {
  /** Unix milliseconds. */
  readonly now: number;
  readonly token: string;
};

/** Shows the form, with status 422 if it has problems. */
function showForm(c: Context, session: HostedSessionRequest, { now, token, ...state }: FormState) {
  const today = new Date(now).toISOString().slice(0, 10);
  // Browsers also check form-action against the URL that the form's response redirects to.
  c.header('Content-Security-Policy', contentSecurityPolicy(`'self' ${session.siteOrigin}`));
  const page = formPage({ session, today, action: `/verify/${token}`, ...state });
  return c.html(page, state.problems ? 422 : 200);
}

function showRevocation(c: Context, session: HostedSessionRequest, token: string) {
  c.header('Content-Security-Policy', contentSecurityPolicy("'self'"));
  return c.html(revokePage(session, `/verify/${token}/revoke`));
}

/** Shows that the service did not accept a report. */
function showFailure(c: Context, title: string, message: string) {
  return c.html(messagePage(title, message), 502);
}
