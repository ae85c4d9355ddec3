/** The description of the service: `/api/openapi.json`, and the same as a page at `/api/docs`. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { html, raw } from 'hono/html';
import { defineFile } from '../http/routing/define-route.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';
import { openApiDocument } from './document.ts';

/**
 * The page contains the document, and loads one script and one style from its own origin. The sandbox keeps Swagger UI from
 * reading cookies and storage of the site, and from sending requests.
 */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts";

/** Starts Swagger UI. Requests from its page would have no session, so it offers none. */
const START = `
document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);
SwaggerUIBundle({
  spec: JSON.parse(document.getElementById('document').textContent),
  dom_id: '#page',
  supportedSubmitMethods: [],
  plugins: [{ wrapComponents: { authorizeBtn: () => () => null } }],
});
`;

/** Serves the document, the page, and the script and style of the page. Each is made once, for the first request. */
export function registerOpenApi(app: HttpApp, service: Service): void {
  const { origin } = service.settings;
  const json = once(() => JSON.stringify(openApiDocument(origin)));
  const page = once(() => documentPage(json()));
  const script = once(async () => `${await readViewer('swagger-ui-bundle.js')}${START}`);
  const style = once(() => readViewer('swagger-ui.css'));
  defineFile(app, service, 'openApi', (context) =>
    context.body(json(), 200, { 'Content-Type': 'application/json' }),
  );
  defineFile(app, service, 'docs', (context) =>
    context.html(page(), 200, { 'Content-Security-Policy': PAGE_POLICY }),
  );
  defineFile(app, service, 'docsScript', async (context) =>
    context.body(await script(), 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
  );
  defineFile(app, service, 'docsStyle', async (context) =>
    context.body(await style(), 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  );
}

function documentPage(json: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HTTP API</title>
<link rel="stylesheet" href="docs.css">
</head>
<body>
<main id="page"></main>
<script type="application/json" id="document">${raw(json.replaceAll('<', '\\u003c'))}</script>
<script src="docs.js"></script>
</body>
</html>`.toString();
}

/** The built server has the files of Swagger UI next to its code: see tsup.config.ts. */
const BUILT = join(import.meta.dirname, 'swagger-ui');

/** Reads a file of Swagger UI: of the built server, or of the package swagger-ui-dist in a checkout. */
function readViewer(name: string): Promise<string> {
  const inPackage = () => createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  return readFile(existsSync(BUILT) ? join(BUILT, name) : inPackage(), 'utf8');
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
