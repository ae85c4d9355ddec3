/**
 * Renders the document as a page of plain HTML without scripts. Existing viewers need megabytes, telemetry, or scripts
 * that a strict policy blocks. `html` escapes every value.
 */
import { html } from 'hono/html';
import { operationSection } from './page-operation.ts';
import { anchorOf, type Html, prose, schemaTable, text } from './page-parts.ts';
import type { OpenApiDocument, Operation } from './types.ts';

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Builds the page of a document. */
export function documentPage(document: OpenApiDocument): Html {
  const { info, tags, servers, components } = document;
  const endpoints = endpointsOf(document);
  const groups = tags.map((tag) => ({
    ...tag,
    id: `group-${tag.name.toLowerCase()}`,
    endpoints: endpoints.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}: HTTP API</title>
<link rel="stylesheet" href="docs.css">
</head>
<body>
<nav aria-label="Endpoints"><p><a href="#top">${info.title}</a></p>
${groups.map(
  (group) => html`<h2><a href="#${group.id}">${group.name}</a></h2>
<ul>${group.endpoints.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}</ul>`,
)}
<h2><a href="#errors">Errors</a></h2>
<h2><a href="#schemas">Schemas</a></h2>
</nav>
<main id="top">
<h1>${info.title}</h1>
${prose(info.description)}
<p>Server: <code>${servers[0]?.url ?? ''}</code>. Machine-readable: <a href="openapi.json">OpenAPI ${document.openapi}</a>.</p>
${groups.map(
  (
    group,
  ) => html`<section class="group" id="${group.id}"><h2>${group.name}</h2><p>${text(group.description)}</p>
${group.endpoints.map((endpoint) => operationSection(document, endpoint))}</section>`,
)}
<section class="group" id="errors"><h2>Errors</h2>
<p>Every error response has the body <code>{ error: { code, message, requestId } }</code>.</p>
<div class="wide"><table><thead><tr><th>Status and code</th><th>Meaning</th></tr></thead><tbody>
${Object.values(components.examples).map(
  ({ summary, value }) => html`<tr><td><code>${summary}</code></td><td>${meaningOf(value)}</td></tr>`,
)}</tbody></table></div></section>
<section class="group" id="schemas"><h2>Schemas</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<section id="${anchorOf(name)}"><h3>${name}</h3>${schemaTable(schema)}</section>`,
)}</section>
</main>
</body>
</html>` as Html;
}

function endpointsOf({ paths }: OpenApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function meaningOf(value: unknown): string {
  return (value as { error: { message: string } }).error.message;
}
