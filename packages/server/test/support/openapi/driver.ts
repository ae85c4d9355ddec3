/** A client that knows only the document, and signs as a wallet and as the verifier. */

import { signWebhook } from '@service/contract/verifier';
import { splitWireTransaction } from '@service/protocol';
import { type Visitor, WEBHOOK_SECRET } from '@service/server/test-service';
import type { OpenApiDocument, Operation } from '../../../src/openapi/document.ts';
import type { Parameter } from '../../../src/openapi/types.ts';
import { type Answer, resolved } from './answers.ts';
import type { Site } from './site.ts';

/** A request before it is sent. */
export interface Draft {
  readonly path: Record<string, string>;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** One endpoint of the document. */
export interface Endpoint {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly operation: Operation;
}

/**
 * Returns every endpoint in an order in which each follows those that it depends on, by a link or by the cookie. The
 * endpoint that signs out is last.
 */
export function endpointsOf(document: OpenApiDocument): Endpoint[] {
  const waiting = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method as Endpoint['method'],
      path,
      operation,
    })),
  );
  const ordered: Endpoint[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(
      (each) => !waiting.some((other) => other !== each && leadsTo(other, each)),
    );
    if (next < 0) throw new Error('the links of the document form a circle');
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}

function leadsTo({ operation: from }: Endpoint, { operation: to }: Endpoint): boolean {
  if (to.operationId === 'logout') return true;
  if (from.operationId === 'logout') return false;
  const { links = {}, headers } = from.responses[200]!;
  if (Object.values(links).some(({ operationId }) => operationId === to.operationId)) return true;
  const needsSession =
    to.security.some((each) => 'session' in each) &&
    to.security.every((each) => Object.keys(each).length > 0);
  return needsSession && 'Set-Cookie' in headers;
}

/** Returns the parameters of an operation, with references resolved. */
export function parametersOf(document: OpenApiDocument, operation: Operation): Parameter[] {
  return operation.parameters.map((parameter) => resolved(document, parameter));
}

/** Sends requests of the document and follows its links. */
export class Driver {
  readonly document: OpenApiDocument;
  readonly site: Site;
  readonly wallet: Visitor;
  /** The session cookie, after a response has set it. */
  cookie: string | undefined;
  /** For each operation the values that links take from a response, and that response. */
  readonly #links = new Map<string, { parameters: Record<string, string>; body: unknown; answer: unknown }>();
  #keys = 0;

  constructor(document: OpenApiDocument, site: Site, wallet = site.holder) {
    this.document = document;
    this.site = site;
    this.wallet = wallet;
  }

  /** Creates a valid request from the document's example, the values of links, and signatures. */
  async draft({ operation }: Endpoint, example = exampleOf(operation)): Promise<Draft> {
    const link = this.#links.get(operation.operationId);
    const parameters = parametersOf(this.document, operation);
    const headers = parameters
      .filter(({ in: where, required }) => where === 'header' && required)
      .map(({ name, example: text = '' }) => [
        name,
        name === 'Idempotency-Key' ? `${text}-${++this.#keys}` : String(text),
      ]);
    const query = parameters
      .filter(({ in: where, required }) => where === 'query' && required)
      .map(({ name }) => [name, this.site[name as 'mint']]);
    const body = await this.#signed(operation, merged(example, link?.body), link?.answer);
    const { security } = operation;
    const isCookie = this.cookie && security.some((each) => 'session' in each);
    const credentials = {
      ...(isCookie ? { Cookie: this.cookie } : {}),
      ...this.webhookHeaders(operation, JSON.stringify(body)),
    };
    return {
      path: link?.parameters ?? {},
      query: Object.fromEntries(query),
      headers: { ...Object.fromEntries(headers), ...credentials },
      body,
    };
  }

  /** Adds to a body what the wallet returns for the previous response: a message, or a signature over the message. */
  async #signed({ operationId }: Operation, body: unknown, previous: unknown): Promise<unknown> {
    const { message = '', transaction } = (previous ?? {}) as { message?: string; transaction?: string };
    if (operationId === 'verify') return { ...(body as object), signature: await this.wallet.sign(message) };
    if (operationId === 'adopt' && transaction) {
      const wire = splitWireTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
      return { ...(body as object), message: Buffer.from(wire!.message).toString('base64') };
    }
    if (operationId !== 'submit' || !transaction) return body;
    return { ...(body as object), transaction: await this.wallet.signTransaction(transaction) };
  }

  /** Returns the headers that sign a body, if the operation needs them. */
  webhookHeaders({ security }: Operation, body: string): Record<string, string> {
    if (!security.some((each) => 'webhookSignature' in each)) return {};
    const now = this.site.world.clock.now();
    return signWebhook({ secret: WEBHOOK_SECRET, id: 'msg_conformance', now, body });
  }

  /** Sends a request. `text` replaces the draft's body. */
  async send(
    { method, path }: Endpoint,
    draft: Draft,
    text?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Answer> {
    const target = path.replaceAll(/\{(\w+)\}/g, (_braces, name) =>
      encodeURIComponent(draft.path[name] ?? 'none'),
    );
    const query = new URLSearchParams(draft.query).toString();
    const response = await fetch(`${this.site.url}${target}${query && `?${query}`}`, {
      method,
      // A browser sets Origin. The document has no parameter for it.
      headers: {
        ...(method === 'post' ? { 'Content-Type': 'application/json', Origin: this.wallet.origin } : {}),
        ...draft.headers,
      },
      ...(method === 'post' ? { body: text ?? JSON.stringify(draft.body) } : {}),
    });
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const body = type === 'application/json' ? await response.json() : await response.text();
    return { status: response.status, headers: response.headers, type, body };
  }

  /** Keeps the cookie of a response and the values of its links. */
  follow({ operation }: Endpoint, answer: Answer): void {
    const [line] = answer.headers.getSetCookie();
    if (line) this.cookie = line.split(';')[0];
    const { links = {} } = operation.responses[answer.status] ?? {};
    for (const { operationId, parameters = {}, requestBody } of Object.values(links)) {
      this.#links.set(operationId, {
        parameters: evaluated(parameters, answer.body) as Record<string, string>,
        body: evaluated(requestBody, answer.body),
        answer: answer.body,
      });
    }
  }
}

/** Returns the example of an operation's request. */
export function exampleOf({ requestBody }: Operation): unknown {
  const example = requestBody?.content['application/json']?.examples?.example;
  return example && 'value' in example ? example.value : undefined;
}

function evaluated(expression: unknown, body: unknown): unknown {
  if (typeof expression === 'object' && expression !== null) {
    return Object.fromEntries(
      Object.entries(expression).map(([key, value]) => [key, evaluated(value, body)]),
    );
  }
  const pointer = /^\$response\.body#\/(.+)$/.exec(String(expression))?.[1];
  let found = body;
  for (const part of pointer?.split('/') ?? []) found = (found as Record<string, unknown>)[part];
  return pointer ? found : expression;
}

function merged(example: unknown, more: unknown): unknown {
  if (typeof more !== 'object' || more === null) return more ?? example;
  const base = (example ?? {}) as Record<string, unknown>;
  return {
    ...base,
    ...Object.fromEntries(Object.entries(more).map(([key, value]) => [key, merged(base[key], value)])),
  };
}
