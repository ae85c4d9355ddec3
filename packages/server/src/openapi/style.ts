/** The style of the page: light or dark as the system prefers, and one column on narrow screens. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d4d8de, #3a3f47); --accent: light-dark(#1a56c4, #8db4ff);
  --soft: light-dark(#5a616b, #a5acb8); --paper: light-dark(#ffffff, #1b1d21); --background: light-dark(#f1f3f6, #101114);
  --get: light-dark(#146c43, #7ddba6); --post: light-dark(#8a4b00, #ffc078); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; background: var(--background); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre { font: 0.875em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
code { overflow-wrap: anywhere; }
nav { padding: 1rem; border-bottom: 1px solid var(--line); }
nav p { margin: 0; font-weight: 600; }
nav p a { color: inherit; text-decoration: none; }
nav h2 { margin: 1rem 0 0.25rem; font-size: 0.8125rem; }
nav h2 a { text-decoration: none; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: block; padding: 0.25rem 0; text-decoration: none; }
nav li a:hover { text-decoration: underline; }
main { max-width: 60rem; padding: 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.25; }
.group > h2 { margin: 2.5rem 0 0.25rem; font-size: 1.3rem; }
article, #schemas > section { margin: 1rem 0; padding: 1rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 0.5rem; }
h3 { margin: 0 0 0.5rem; font-size: 1.05rem; overflow-wrap: anywhere; }
.endpoint { margin: 0 0 0.5rem; }
.get { color: var(--get); } .post { color: var(--post); }
.security, .bounds, small { color: var(--soft); }
.bounds { margin: 0.125rem 0 0; font-size: 0.875rem; }
.type { margin-bottom: 0; }
.wide { overflow-x: auto; margin: 0.75rem 0; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th { border-top: 0; font-weight: 600; font-size: 0.8125rem; color: var(--soft); }
td:first-child { min-width: 11rem; }
td:nth-child(2) { min-width: 9rem; }
details { margin-top: 0.5rem; }
summary { cursor: pointer; padding: 0.25rem 0; color: var(--accent); }
pre { margin: 0.25rem 0 0; padding: 0.75rem; max-height: 30rem; overflow: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; background: var(--background);
  border: 1px solid var(--line); border-radius: 0.375rem; }
:target { scroll-margin-top: 1rem; border-color: var(--accent); }
@media (max-width: 59.99rem) {
  nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: baseline; }
  nav p { width: 100%; }
  nav ul { display: none; }
  nav h2 { margin: 0; padding: 0.25rem 0; font-size: 1rem; font-weight: 400; }
}
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  td, td:first-child, td:nth-child(2) { min-width: 0; padding: 0; border: 0; }
  tr { padding: 0.5rem 0; border-top: 1px solid var(--line); }
}
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  nav h2 a { color: var(--soft); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  main { padding: 1.5rem 2.5rem 4rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
