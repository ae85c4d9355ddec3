/** The hosted pages: plain HTML without script. `html` escapes every value. */
import { createHash } from 'node:crypto';
import { REGIONS, STATUSES } from '@service/contract';
import type { HostedSessionRequest } from '@service/contract/verifier';
import { html, raw } from 'hono/html';
import type { FormProblems } from './read-form.ts';

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#8a8f98, #7b818c); --accent: light-dark(#1a56c4, #8db4ff);
  --bad: light-dark(#b3261e, #ffb4ab); --paper: light-dark(#ffffff, #1b1d21); --background: light-dark(#f1f3f6, #101114); }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; background: var(--background); }
main { max-width: 36rem; margin: 0 auto; padding: 1.25rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 0.5rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.4rem; line-height: 1.25; }
dl { margin: 1rem 0; } dt { font-weight: 600; } dd { margin: 0 0 0.5rem; overflow-wrap: anywhere; }
label { display: block; margin-top: 1rem; font-weight: 600; }
select, input, button, .button { width: 100%; min-height: 2.75rem; padding: 0.5rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--line); border-radius: 0.375rem; }
select option { background: var(--paper); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button, .button { margin-top: 1.5rem; font-weight: 600; border: 2px solid var(--accent); color: var(--accent);
  cursor: pointer; }
.button { display: flex; align-items: center; justify-content: center; text-decoration: none; }
.others { margin-top: 1.5rem; border-top: 1px solid var(--line); }
.others button { border-color: var(--bad); color: var(--bad); }
.others .button { border-color: var(--line); color: inherit; }
[aria-invalid=true] { border-color: var(--bad); }
.problem { margin: 0.25rem 0 0; color: var(--bad); }
@media (min-width: 40rem) { body { padding: 3rem 1rem; } main { padding: 2rem; }
  .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; } }
`;

/** The source expression that allows the pages' style in a content security policy. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

type Html = ReturnType<typeof html>;

/**
 * Renders the form, with the values entered before and their problems. `today` is YYYY-MM-DD, `action` the path of the
 * form. The form to refuse has a path below it.
 */
export function formPage(options: {
  session: HostedSessionRequest;
  action: string;
  today: string;
  entered?: Record<string, unknown>;
  problems?: FormProblems;
}): Html {
  const { session, action, entered = {}, problems = {} } = options;
  return page(
    'Sandbox verification',
    html`<p>For development only. This page checks nothing. Enter any values for this wallet.</p>
${walletAndSite(session)}
<form method="post" action="${action}" autocomplete="off">
<div class="pair"><div>${choice('region', 'Region', REGIONS, entered.region, problems.region)}</div>
<div>${choice('status', 'Status', STATUSES, entered.status, problems.status)}</div></div>
<label for="birthDate">Birth date</label>
<input id="birthDate" name="birthDate" type="date" min="1900-01-01" max="${options.today}" required
 value="${textOf(entered.birthDate)}"${invalid('birthDate', problems.birthDate)}>${problem('birthDate', problems.birthDate)}
<label for="document">Document number (optional)</label>
<input id="document" name="document" maxlength="100" value="${textOf(entered.document)}"${invalid('document', problems.document)}>
${problem('document', problems.document)}<p>Wallets with the same document number are one person.</p>
<button type="submit">Verify and go back to the site</button>
</form>
<p>The site receives a commitment and learns that you are verified. Only your browser gets the values that you enter.</p>
<div class="others pair"><form method="post" action="${action}/refuse"><button type="submit">Refuse this person</button></form>
<a class="button" href="${session.returnUrl}">Go back</a></div>
<p><strong>Refuse this person</strong> shows how the site handles a refusal. <strong>Go back</strong> reports nothing. You can
open this link again until it expires.</p>`,
  );
}

/** Renders the page of a verified session, whose link can revoke the credential. `action` is the path of the form. */
export function revokePage(session: HostedSessionRequest, action: string): Html {
  return page(
    'Verified',
    html`<p>For development only. The wallet is verified, and this link can revoke its credential.</p>
${walletAndSite(session)}
<form method="post" action="${action}"><button type="submit">Revoke the credential</button></form>
<p>Everyone with this link can revoke it. A revoked credential gives no passes. To get a new credential, verify again.</p>`,
  );
}

/** Renders a page with a message. */
export function messagePage(title: string, message: string): Html {
  return page(title, html`<p>${message}</p>`);
}

function walletAndSite({ wallet, siteOrigin }: HostedSessionRequest): Html {
  return html`<dl><dt>Wallet</dt><dd><code>${wallet}</code></dd><dt>Site</dt><dd>${siteOrigin}</dd></dl>`;
}

function page(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body><main>
<h1>${title}</h1>
${content}
</main></body>
</html>`;
}

function choice(
  name: string,
  label: string,
  options: readonly { readonly code: string; readonly name: string }[],
  entered: unknown,
  message: string | undefined,
): Html {
  return html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}" required${invalid(name, message)}>
<option value="">Choose</option>
${options.map(
  (option) =>
    html`<option value="${option.code}"${raw(option.code === entered ? ' selected' : '')}>${option.name}</option>
`,
)}</select>${problem(name, message)}`;
}

function invalid(name: string, message: string | undefined) {
  return raw(message ? ` aria-invalid="true" aria-describedby="${name}-problem"` : '');
}

function problem(name: string, message: string | undefined): Html | string {
  return message ? html`<p class="problem" id="${name}-problem">${message}</p>` : '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
