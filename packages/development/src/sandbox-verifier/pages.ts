/** The hosted pages: plain HTML that needs no script. `html` escapes every value put into it. */
import { createHash } from 'node:crypto';
import { REGIONS, STATUSES } from '@service/contract';
import type { HostedSessionRequest } from '@service/server/verifier-protocol';
import { html, raw } from 'hono/html';
import type { FormProblems } from './read-form.ts';

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#8a8f98, #7b818c); --accent: light-dark(#1a56c4, #8db4ff);
  --bad: light-dark(#b3261e, #ffb4ab); --paper: light-dark(#ffffff, #1b1d21); --ground: light-dark(#f1f3f6, #101114); }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; background: var(--ground); }
main { max-width: 36rem; margin: 0 auto; padding: 1.25rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 0.5rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.4rem; line-height: 1.25; }
dl { margin: 1rem 0; } dt { font-weight: 600; } dd { margin: 0 0 0.5rem; overflow-wrap: anywhere; }
label { display: block; margin-top: 1rem; font-weight: 600; }
select, input, button { width: 100%; min-height: 2.75rem; padding: 0.5rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--line); border-radius: 0.375rem; }
select option { background: var(--paper); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button { margin-top: 1.5rem; font-weight: 600; border: 2px solid var(--accent); color: var(--accent); cursor: pointer; }
[aria-invalid=true] { border-color: var(--bad); }
.problem { margin: 0.25rem 0 0; color: var(--bad); }
@media (min-width: 40rem) { body { padding: 3rem 1rem; } main { padding: 2rem; }
  .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; } }
`;

/** The source expression that lets the pages' own style through the content security policy, and nothing else. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

type Html = ReturnType<typeof html>;

/** The form, with what was given before and what is wrong with it. `today` is YYYY-MM-DD. */
export function formPage(options: {
  session: HostedSessionRequest;
  today: string;
  given?: Record<string, unknown>;
  problems?: FormProblems;
}): Html {
  const { session, given = {}, problems = {} } = options;
  return page(
    'Sandbox verification',
    html`<p>For development only: nothing is checked. Attest what you like about this wallet.</p>
${whoAndWhere(session)}
<form method="post" autocomplete="off">
<div class="pair"><div>${choice('region', 'Region', REGIONS, given.region, problems.region)}</div>
<div>${choice('status', 'Status', STATUSES, given.status, problems.status)}</div></div>
<label for="birthDate">Birth date</label>
<input id="birthDate" name="birthDate" type="date" min="1900-01-01" max="${options.today}" required
 value="${textOf(given.birthDate)}"${invalid('birthDate', problems.birthDate)}>${problem('birthDate', problems.birthDate)}
<button type="submit">Attest and go back to the site</button>
</form>
<p>The site is told that you were verified and a commitment. What you enter here goes to your browser alone.</p>`,
  );
}

/** The page of a session that was verified: what its link still does. `action` is the path that does it. */
export function revokePage(session: HostedSessionRequest, action: string): Html {
  return page(
    'Verified',
    html`<p>For development only: this link has verified the wallet, and takes that back.</p>
${whoAndWhere(session)}
<form method="post" action="${action}"><button type="submit">Revoke the credential</button></form>
<p>Whoever has this link can. No pass can be had with a credential that is revoked; verifying again brings a new one.</p>`,
  );
}

/** A page that only says something. */
export function messagePage(title: string, message: string): Html {
  return page(title, html`<p>${message}</p>`);
}

function whoAndWhere({ wallet, siteOrigin }: HostedSessionRequest): Html {
  return html`<dl><dt>Wallet</dt><dd><code>${wallet}</code></dd><dt>Site</dt><dd>${siteOrigin}</dd></dl>`;
}

function page(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
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
  given: unknown,
  wrong: string | undefined,
): Html {
  return html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}" required${invalid(name, wrong)}>
<option value="">Choose</option>
${options.map(
  (option) =>
    html`<option value="${option.code}"${raw(option.code === given ? ' selected' : '')}>${option.name}</option>
`,
)}</select>${problem(name, wrong)}`;
}

function invalid(name: string, wrong: string | undefined) {
  return raw(wrong ? ` aria-invalid="true" aria-describedby="${name}-problem"` : '');
}

function problem(name: string, wrong: string | undefined): Html | string {
  return wrong ? html`<p class="problem" id="${name}-problem">${wrong}</p>` : '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
