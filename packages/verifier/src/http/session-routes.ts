/** The pages that a person opens: of a session, and of its phone. */
import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { beginCheck, checkOf, checkOfBrowser, markSubmitted, useCheck } from '../checks/begin-check.ts';
import { readDecision } from '../checks/record-decision.ts';
import { witnessFragment } from '../credentials/attest.ts';
import { completeSession } from '../credentials/complete-session.ts';
import type { Check, Session } from '../database/schema.ts';
import { contentSecurityPolicy, type Html } from '../pages/page.ts';
import {
  agreePage,
  approvedPage,
  checkingPage,
  messagePage,
  type PageContext,
  phoneCodePage,
  phonePage,
  retryPage,
  reviewPage,
} from '../pages/session-pages.ts';
import { type Language, TEXTS } from '../pages/texts.ts';
import { claimSession, findSession, findSessionOfPhone } from '../sessions/sessions.ts';
import { phoneTokenOf } from '../sessions/tokens.ts';
import type { Verifier } from '../verifier.ts';
import { browserHashOf, knownBrowserHash } from './browser.ts';
import { limited, type RateLimits } from './rate-limits.ts';

/** Returns the language that a person reads. */
export function languageOf(c: Context): Language {
  const supports = Object.keys(TEXTS);
  return accepts(c, {
    header: 'Accept-Language',
    supports,
    default: supports[0]!,
    // A browser can send only `de-AT`, which `de` serves.
    match: (wanted, { default: other }) =>
      wanted
        .filter(({ q }) => q > 0)
        .toSorted((one, next) => next.q - one.q)
        .map(({ type }) => type.split('-', 1)[0]!.toLowerCase())
        .find((language) => supports.includes(language)) ?? other,
  }) as Language;
}

/** What a session's page shows. It is also what the script of the page follows. */
type State =
  | 'agree'
  | 'elsewhere'
  | 'phone'
  | 'finished'
  | 'failed'
  | 'busy'
  | 'checking'
  | 'review'
  | 'approved'
  | 'retry';

/** `now` is in Unix milliseconds. */
function stateOf(
  session: Session,
  {
    check,
    browserHash,
    now,
  }: { readonly check: Check | null; readonly browserHash: string | null; readonly now: number },
): State {
  if (session.state === 'REPORTED') return 'finished';
  if (session.browser_hash === null) return session.state === 'FAILED' ? 'failed' : 'agree';
  if (session.browser_hash !== browserHash) return 'elsewhere';
  if (session.state === 'FAILED') return 'failed';
  // A request that died leaves the state SIGNING. After its lease, the person can try again.
  if (session.state === 'SIGNING' && session.signing_until! > BigInt(now)) return 'busy';
  if (!check) return 'phone';
  if (check.state === 'pending') return check.is_submitted ? 'review' : 'checking';
  return check.state === 'declined' ? 'failed' : check.state;
}

/** Creates the routes below `/verify` and `/phone`. */
export function sessionRoutes(verifier: Verifier, take: RateLimits): Hono {
  const { clock, settings } = verifier;
  const { origin } = settings;
  const app = new Hono();

  app.get('/verify/:token', async (c) => {
    const session = await findSession(verifier, c.req.param('token'));
    return session ? show(c, session) : invalid(c);
  });

  app.get('/verify/:token/state', async (c) => {
    const session = await findSession(verifier, c.req.param('token'));
    if (!session) return c.json({ state: 'invalid' });
    return c.json({ state: await stateFor(c, session) });
  });

  // The person agrees to the wallet and the site.
  app.post('/verify/:token', async (c) => {
    const token = c.req.param('token');
    const session = await findSession(verifier, token);
    if (!session) return invalid(c);
    const browserHash = knownBrowserHash(c, origin);
    if (!(await claimSession(verifier, token, browserHash))) return show(c, session);
    const claimed = { ...session, browser_hash: browserHash };
    if (stateOf(claimed, { check: null, browserHash, now: clock.now() }) !== 'phone')
      return c.redirect(`/verify/${token}`, 303);
    const { device, check: wanted } = await c.req.parseBody();
    const known =
      session.check_id === null && wanted !== 'new' ? await checkOfBrowser(verifier, browserHash) : null;
    if (known) {
      await useCheck(verifier, session, known);
      if (known.state === 'pending') await markSubmitted(verifier, session, known);
      return complete(c, { ...claimed, check_id: known.id }, browserHash);
    }
    if (device === 'phone') return c.redirect(`/verify/${token}`, 303);
    const check = await checkOf(verifier, session);
    return check ? c.redirect(`/verify/${token}`, 303) : begin(c, claimed, `/verify/${token}`);
  });

  app.post('/verify/:token/again', async (c) => {
    const token = c.req.param('token');
    const session = await findSession(verifier, token);
    if (!session) return invalid(c);
    const state = await stateFor(c, session);
    if (state !== 'retry' && state !== 'checking') return c.redirect(`/verify/${token}`, 303);
    return begin(c, session, `/verify/${token}`);
  });

  // The provider sends the person here. Its parameters are ignored: the decision is read from its API.
  app.get('/verify/:token/back', async (c) => {
    const session = await findSession(verifier, c.req.param('token'));
    if (!session) return invalid(c);
    const browserHash = browserHashOf(c, origin);
    const check = await checkOf(verifier, session);
    const state = stateOf(session, { check, browserHash, now: clock.now() });
    if (!check || browserHash === null || !['checking', 'review', 'approved'].includes(state)) {
      return show(c, session);
    }
    const { check: read } = await readDecision(verifier, check);
    await markSubmitted(verifier, session, read);
    if (read.state === 'approved') return complete(c, session, browserHash);
    return c.redirect(`/verify/${c.req.param('token')}`, 303);
  });

  app.get('/phone/:token', async (c) => {
    const session = await findSessionOfPhone(verifier, c.req.param('token'));
    if (!session || session.browser_hash === null || session.state !== 'OPEN') return invalid(c);
    return send(c, session, phonePage(pageOf(c, session)));
  });

  app.post('/phone/:token', async (c) => {
    const session = await findSessionOfPhone(verifier, c.req.param('token'));
    if (!session || session.browser_hash === null || session.state !== 'OPEN') return invalid(c);
    const check = await checkOf(verifier, session);
    if (check?.state === 'pending' && !check.is_submitted) return c.redirect(check.page_url, 303);
    if (check && check.state !== 'retry') return phoneDone(c);
    return begin(c, session, `/phone/${c.req.param('token')}`);
  });

  app.get('/phone/:token/back', async (c) => {
    const session = await findSessionOfPhone(verifier, c.req.param('token'));
    const check = session && (await checkOf(verifier, session));
    if (!check) return invalid(c);
    await markSubmitted(verifier, session, (await readDecision(verifier, check)).check);
    return phoneDone(c);
  });

  return app;

  async function stateFor(c: Context, session: Session): Promise<State> {
    const check = await checkOf(verifier, session);
    return stateOf(session, { check, browserHash: browserHashOf(c, origin), now: clock.now() });
  }

  async function begin(c: Context, session: Session, path: string) {
    const wait = await take('checks', session.id);
    if (wait !== null) return limited(c, wait, languageOf(c));
    const returnUrl = `${origin}${path}/back`;
    const check = await beginCheck(verifier, { session, browserHash: session.browser_hash!, returnUrl });
    // Browsers check form-action also against the page to which a form's response redirects.
    c.header('Content-Security-Policy', contentSecurityPolicy([`'self'`, ...verifier.provider.origins]));
    return c.redirect(check.page_url, 303);
  }

  async function complete(c: Context, session: Session, browserHash: string) {
    const completion = await completeSession(verifier, session, browserHash);
    const t = TEXTS[languageOf(c)];
    const path = `/verify/${c.req.param('token')}`;
    switch (completion.outcome) {
      case 'verified': {
        const target = new URL(session.return_url);
        target.hash = witnessFragment(completion.witness);
        return c.redirect(target.href, 303);
      }
      case 'refused':
        return send(c, session, failedPage(c, session, t.refused[completion.why]), 422);
      case 'unreachable':
        return send(c, session, againPage(c, session, `${path}/back`), 502);
      default:
        return c.redirect(path, 303);
    }
  }

  async function show(c: Context, session: Session) {
    const browserHash = browserHashOf(c, origin);
    const check = await checkOf(verifier, session);
    const t = TEXTS[languageOf(c)];
    const at = pageOf(c, session);
    const message = (title: string, text: string) => messagePage(at.language, { title, text, session });
    const pages: Record<State, () => Html | Promise<Html>> = {
      agree: async () => {
        const known = browserHash === null ? null : await checkOfBrowser(verifier, browserHash);
        return agreePage(at, known !== null);
      },
      phone: () => phoneCodePage(at, `${origin}/phone/${phoneTokenOf(c.req.param('token')!, browserHash!)}`),
      checking: () => checkingPage(at, check!.page_url),
      review: () => reviewPage(at, check!.page_url),
      approved: () => approvedPage(at),
      retry: () => retryPage(at),
      failed: () => message(t.declined, t.declinedText),
      finished: () => message(t.finished, t.finishedText),
      elsewhere: () => messagePage(at.language, { title: t.elsewhere, text: t.elsewhereText }),
      busy: () => againPage(c, session, `${at.path}/back`, { title: t.busy, text: t.busyText }),
    };
    return send(c, session, await pages[stateOf(session, { check, browserHash, now: clock.now() })]());
  }

  function send(c: Context, session: Session, body: Html, status: 200 | 422 | 502 = 200) {
    const sources = [`'self'`, session.site_origin, ...verifier.provider.origins];
    c.header('Content-Security-Policy', contentSecurityPolicy(sources));
    return c.html(body, status);
  }

  function pageOf(c: Context, session: Session): PageContext {
    const [, kind, token] = c.req.path.split('/');
    const isSandbox = verifier.provider.name === 'sandbox';
    return { language: languageOf(c), session, path: `/${kind}/${token}`, isSandbox };
  }

  function failedPage(c: Context, session: Session, text: string): Html {
    const language = languageOf(c);
    return messagePage(language, { title: TEXTS[language].declined, text, session });
  }

  function againPage(
    c: Context,
    session: Session,
    again: string,
    own?: { title: string; text: string },
  ): Html {
    const language = languageOf(c);
    const { unreachable: title, unreachableText: text } = TEXTS[language];
    return messagePage(language, { title, text, again, session, ...own });
  }

  function invalid(c: Context) {
    const language = languageOf(c);
    const { invalid: title, invalidText: text } = TEXTS[language];
    return c.html(messagePage(language, { title, text }), 404);
  }

  function phoneDone(c: Context) {
    const language = languageOf(c);
    const { phoneDone: title, phoneDoneText: text } = TEXTS[language];
    return c.html(messagePage(language, { title, text }));
  }
}
