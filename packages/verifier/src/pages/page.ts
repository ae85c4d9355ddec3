/** The frame of every page. `html` of hono escapes every value. */
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';

/** A piece of HTML. */
export type Html = ReturnType<typeof html>;

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#8a8f98, #7b818c); --accent: light-dark(#1a56c4, #8db4ff);
  --bad: light-dark(#b3261e, #ffb4ab); --paper: light-dark(#ffffff, #1b1d21); --background: light-dark(#f1f3f6, #101114); }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; background: var(--background); }
main { max-width: 36rem; margin: 0 auto; padding: 1.25rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 0.5rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 0.5rem; font-size: 1.4rem; line-height: 1.25; }
dl { margin: 1rem 0; } dt { font-weight: 600; } dd { margin: 0 0 0.5rem; }
label { display: block; margin-top: 1rem; font-weight: 600; }
select, input, button, .button { width: 100%; min-height: 2.75rem; padding: 0.5rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--line); border-radius: 0.375rem; }
select option { background: var(--paper); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button, .button { margin-top: 1rem; font-weight: 600; cursor: pointer; }
.first { border: 2px solid var(--accent); color: var(--accent); }
.bad { border-color: var(--bad); color: var(--bad); }
.button { display: flex; align-items: center; justify-content: center; text-decoration: none; }
a { color: var(--accent); }
[aria-invalid=true] { border-color: var(--bad); }
.problem { margin: 0.25rem 0 0; color: var(--bad); }
.code { width: min(100%, 16rem); margin: 1rem auto; padding: 0.5rem; background: #ffffff; border-radius: 0.375rem; }
.code svg { display: block; width: 100%; height: auto; }
table { width: 100%; border-collapse: collapse; } td, th { padding: 0.25rem; text-align: left; overflow-wrap: normal; border-bottom: 1px solid var(--line); }
@media (min-width: 40rem) { body { padding: 3rem 1rem; } main { padding: 2rem; }
  .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; } }
`;

/** Opens the next page when the state of the check changes. Without scripts, the person follows the link. */
const SCRIPT = `
const page = document.querySelector('[data-state]');
const look = async () => {
  try {
    const response = await fetch(page.dataset.path, { cache: 'no-store' });
    const { state } = await response.json();
    if (state !== page.dataset.state) location.replace(page.dataset.next);
  } catch {}
};
if (page) {
  setInterval(look, 2000);
  document.addEventListener('visibilitychange', look);
}
`;

const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const SOURCES = `style-src ${digest(STYLE)}; script-src ${digest(SCRIPT)}; connect-src 'self'; img-src data:`;

/** Returns a content security policy that allows the style and the script of the pages, and forms to these sources. */
export function contentSecurityPolicy(formAction: readonly string[]): string {
  const forms = formAction.length > 0 ? formAction.join(' ') : "'none'";
  return `default-src 'none'; ${SOURCES}; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`;
}

/** Renders a page. */
export function page({
  language,
  title,
  content,
}: {
  readonly language: string;
  readonly title: string;
  readonly content: Html | readonly Html[];
}): Html {
  return html`<!doctype html>
<html lang="${language}">
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
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>`;
}
