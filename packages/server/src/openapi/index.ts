/** The description of the service: `/api/openapi.json`, and the same as a page at `/api/docs`. */
import { defineFile } from '../http/routing/define-file.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';
import { openApiDocument } from './document.ts';
import { documentPage } from './page.ts';
import { PAGE_STYLE } from './style.ts';

/** Allows only the page's own style sheet: no scripts, no images, nothing from other sites. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the document, the page and the style of the page. Each is built once. */
export function registerOpenApi(app: HttpApp, service: Service): void {
  // Build it on the first request, because most processes never show it.
  const built = once(() => {
    const document = openApiDocument(service.settings.origin);
    return { json: JSON.stringify(document), page: documentPage(document).toString() };
  });
  defineFile(app, service, 'openApi', (context) =>
    context.body(built().json, 200, { 'Content-Type': 'application/json' }),
  );
  defineFile(app, service, 'docs', (context) =>
    context.body(built().page, 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': PAGE_POLICY,
    }),
  );
  defineFile(app, service, 'docsStyle', (context) =>
    context.body(PAGE_STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  );
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
