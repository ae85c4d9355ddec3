/** The pages of a session. Each shows the whole address of the wallet and the site. */
import { html, raw } from 'hono/html';
import { renderSVG } from 'uqr';
import type { Session } from '../database/schema.ts';
import { type Html, page } from './page.ts';
import { type Language, TEXTS } from './texts.ts';

/** The session that a page is about, and the language of its texts. */
export interface PageContext {
  readonly language: Language;
  readonly session: Pick<Session, 'wallet' | 'site_origin' | 'return_url'>;
  /** The path of the session's page, without a slash at the end. */
  readonly path: string;
  /** Whether the next page is that of the sandbox provider. */
  readonly isSandbox: boolean;
}

/** The page before anything begins. `isKnown` says whether this browser belongs to a person who was verified before. */
export function agreePage({ language, session, path, isSandbox }: PageContext, isKnown: boolean): Html {
  const t = TEXTS[language];
  const buttons = isKnown
    ? html`<p>${t.known}</p><form method="post" action="${path}"><button class="first">${t.verifyKnown}</button></form>
<form method="post" action="${path}"><input type="hidden" name="check" value="new"><button>${t.beginAgain}</button></form>
<p>${t.notKnown}</p>`
    : html`<p>${isSandbox ? t.agreeSandbox : t.agreeProvider}</p><div class="pair">
<form method="post" action="${path}"><button class="first">${t.here}</button></form>
<form method="post" action="${path}"><input type="hidden" name="device" value="phone"><button>${t.onPhone}</button></form></div>`;
  return page({
    language,
    title: t.title,
    content: html`${facts(language, session)}<p>${t.agree}</p>${buttons}${back({ language, session })}`,
  });
}

/** The page with the code for the phone. */
export function phoneCodePage({ language, session, path }: PageContext, phoneUrl: string): Html {
  const t = TEXTS[language];
  const content = html`${facts(language, session)}<p>${t.phoneCode}</p>
<div class="code" role="img" aria-label="${t.phoneCodeLabel}">${raw(renderSVG(phoneUrl))}</div>
<p>${t.phoneLink} <a href="${phoneUrl}">${phoneUrl}</a></p>
<form method="post" action="${path}"><button>${t.here}</button></form>`;
  return page({ language, title: t.phone, content: following(content, { state: 'phone', path }) });
}

/** The page on the phone. It can only begin the check. */
export function phonePage({ language, session, path, isSandbox }: PageContext): Html {
  const t = TEXTS[language];
  return page({
    language,
    title: t.title,
    content: html`${facts(language, session)}<p>${t.phoneAgree}</p><p>${isSandbox ? t.agreeSandbox : t.agreeProvider}</p>
<form method="post" action="${path}"><button class="first">${t.here}</button></form>`,
  });
}

/** The page of a check that the person has not finished. */
export function checkingPage({ language, session, path }: PageContext, checkUrl: string): Html {
  const t = TEXTS[language];
  const content = html`${facts(language, session)}<p role="status">${t.checkingText}</p>
<a class="button first" href="${checkUrl}">${t.openCheck}</a>
<form method="post" action="${path}/again"><button>${t.beginAgain}</button></form>`;
  return page({ language, title: t.checking, content: following(content, { state: 'checking', path }) });
}

/** The page of a check that is in review, or that the person did not finish. Only the provider knows which. */
export function reviewPage({ language, session, path }: PageContext, checkUrl: string): Html {
  const t = TEXTS[language];
  const content = html`${facts(language, session)}<p role="status">${t.reviewText}</p>${back({ language, session })}
<p>${t.notFinished} <a href="${checkUrl}">${t.openCheck}</a></p>`;
  return page({ language, title: t.review, content: following(content, { state: 'review', path }) });
}

/** The page of a check that can be repeated. */
export function retryPage({ language, session, path }: PageContext): Html {
  const t = TEXTS[language];
  return page({
    language,
    title: t.retry,
    content: html`${facts(language, session)}<p role="status">${t.retryText}</p>
<form method="post" action="${path}/again"><button class="first">${t.beginAgain}</button></form>${back({ language, session })}`,
  });
}

/** The page of an approved check, before the person goes back. */
export function approvedPage({ language, session, path }: PageContext): Html {
  const t = TEXTS[language];
  return page({
    language,
    title: t.approved,
    content: html`${facts(language, session)}<p role="status">${t.approvedText}</p>
<a class="button first" href="${path}/back">${t.goBack}</a>`,
  });
}

/** A page with a message, and the way back to the site if the session is known. */
export function messagePage(
  language: Language,
  {
    title,
    text,
    again,
    session,
  }: { title: string; text: string; again?: string; session?: PageContext['session'] },
): Html {
  const t = TEXTS[language];
  return page({
    language,
    title,
    content: html`<p role="status">${text}</p>${again ? html`<a class="button first" href="${again}">${t.tryAgain}</a>` : ''}${session ? back({ language, session }) : ''}`,
  });
}

function facts(language: Language, { wallet, site_origin }: PageContext['session']): Html {
  const t = TEXTS[language];
  return html`<dl><dt>${t.wallet}</dt><dd><code>${wallet}</code></dd><dt>${t.site}</dt><dd>${site_origin}</dd></dl>`;
}

function back({ language, session }: Pick<PageContext, 'language' | 'session'>): Html {
  return html`<a class="button" href="${session.return_url}">${TEXTS[language].goBack}</a>`;
}

/** Lets the script follow the state. The person has agreed already, so the page continues when the state changes. */
function following(content: Html, { state, path }: { state: string; path: string }): Html {
  return html`<div data-state="${state}" data-path="${path}/state" data-next="${path}/back">${content}</div>`;
}
