/** One endpoint on the page: its request, response and errors. */
import { html } from 'hono/html';
import { fieldTable, type Html, nameOf, recordTable, text, typeOf } from './page-parts.ts';
import type {
  JsonSchema,
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  ResponseObject,
} from './types.ts';

/** Returns the section of one endpoint. */
export function operationSection(
  { components }: OpenApiDocument,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): Html {
  const parameters = operation.parameters.map((parameter) =>
    isReference(parameter) ? components.parameters[nameOf(parameter.$ref)]! : parameter,
  );
  const [[, done] = [], ...refusals] = Object.entries(operation.responses);
  return html`<article id="${operation.operationId}">
<h3>${operation.summary}</h3>
<p class="endpoint"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
<p>${text(operation.description)}</p>
${securityOf(operation)}
${parameterTable(parameters)}
${operation.requestBody ? bodyOf('Request body', operation.requestBody.content) : ''}
${operation.requestBody ? recordTable(recordOf(components, operation.requestBody.content)) : ''}
${operation.requestBody ? exampleOf('Example request', operation.requestBody.content) : ''}
${done ? html`${bodyOf('Response 200', done.content)}${exampleOf('Example response', done.content)}` : ''}
${refusalTable(refusals)}
</article>` as Html;
}

function isReference(value: object): value is Reference {
  return '$ref' in value;
}

function securityOf({ security }: Operation): Html | '' {
  if (security.length === 0) return '';
  const names = security.flatMap((each) => Object.keys(each));
  const isOptional = security.some((each) => Object.keys(each).length === 0);
  const credential = names.includes('session') ? 'the session cookie' : 'the verifier’s signature';
  return html`<p class="security">${isOptional ? 'Accepts' : 'Requires'} ${credential}.</p>` as Html;
}

function parameterTable(parameters: readonly Parameter[]): Html | '' {
  return fieldTable(
    'Parameter',
    parameters.map((parameter) => [parameter.name, { ...parameter, note: parameter.in }]),
  );
}

function recordOf(
  { schemas }: OpenApiDocument['components'],
  content: Record<string, MediaType>,
): JsonSchema {
  const { $ref } = content['application/json']?.schema ?? {};
  return ($ref && schemas[nameOf($ref)]) || {};
}

function bodyOf(title: string, content: Record<string, MediaType>): Html {
  const { schema } = content['application/json'] ?? {};
  return html`<p>${title}: ${schema?.$ref ? typeOf(schema) : Object.keys(content).join(', ')}.</p>` as Html;
}

function exampleOf(title: string, content: Record<string, MediaType>): Html | '' {
  const example = content['application/json']?.examples?.example;
  if (!example || !('value' in example)) return '';
  const json = JSON.stringify(example.value, null, 2);
  return html`<details><summary>${title}</summary><pre tabindex="0">${json}</pre></details>` as Html;
}

function refusalTable(refusals: readonly [string, ResponseObject][]): Html {
  return html`<details><summary>Errors</summary><div class="wide"><table>
<thead><tr><th>Status</th><th>Codes</th></tr></thead><tbody>
${refusals.map(
  ([status, { description, content }]) =>
    html`<tr><td>${status}</td><td>${Object.keys(content['application/json']?.examples ?? {}).map(
      (code) => html`<code>${code}</code> `,
    )}<p class="bounds">${description}</p></td></tr>`,
)}</tbody></table></div></details>` as Html;
}
