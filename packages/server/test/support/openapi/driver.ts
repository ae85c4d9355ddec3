/** A client that knows the document and nothing else, with a wallet's and a verifier's hands to sign. */

import type { OpenApiDocument, Operation, Parameter } from '../../../src/openapi/types.ts';
import { type Answer, resolved } from './answers.ts';

/** What no document can tell: the signatures that are put into a request. */
export interface Hands {
  /** The body with the signatures that it needs; `led` is the answer that led here. */
  sign(operation: Operation, body: unknown, led: unknown): Promise<unknown>;
  /** The headers that prove a body's sender to the webhook. */
  webhookHeaders(body: string): Record<string, string>;
}

/** A request that is about to be sent. */
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
 * Every endpoint, so that each comes after those that lead to it: by a link, by setting the cookie that it needs, and for
 * signing out after all others.
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
    if (next < 0) throw new Error('the links of the document go round in a circle');
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}

function leadsTo({ operation: from }: Endpoint, { operation: to }: Endpoint): boolean {
  if (to.operationId === 'logout') return true;
  if (from.operationId === 'logout') return false;
  const { links = {}, headers } = from.responses[200]!;
  if (Object.values(links).some(({ operationId }) => operationId === to.operationId)) return true;
  const needsSession = to.security.length === 1 && 'session' in to.security[0]!;
  return needsSession && 'Set-Cookie' in headers;
}

/** What an operation says of its parameters. */
export function parametersOf(document: OpenApiDocument, operation: Operation): Parameter[] {
  return operation.parameters.map((parameter) => resolved(document, parameter));
}

interface Led {
  readonly parameters: Record<string, string>;
  readonly body: unknown;
  readonly answer: unknown;
}

/** Sends what the document says, and follows its links. */
export class Driver {
  readonly document: OpenApiDocument;
  readonly url: string;
  readonly hands: Hands;
  /** The session cookie, once an answer has set it. */
  cookie: string | undefined;
  readonly #led = new Map<string, Led>();
  #keys = 0;

  constructor(document: OpenApiDocument, url: string, hands: Hands) {
    this.document = document;
    this.url = url;
    this.hands = hands;
  }

  /** A request that the document calls valid: its examples, with what links and signatures bring. */
  async draft({ operation }: Endpoint, example = exampleOf(operation)): Promise<Draft> {
    const led = this.#led.get(operation.operationId);
    const parameters = parametersOf(this.document, operation);
    const headers = parameters
      .filter(({ in: where, required }) => where === 'header' && required)
      .map(({ name, example: text = '' }) => [
        name,
        name === 'Idempotency-Key' ? `${text}-${++this.#keys}` : text,
      ]);
    const body = await this.hands.sign(operation, merged(example, led?.body), led?.answer);
    return {
      path: led?.parameters ?? {},
      query: {},
      headers: { ...Object.fromEntries(headers), ...this.#credentials(operation, body) },
      body,
    };
  }

  #credentials({ security }: Operation, body: unknown): Record<string, string> {
    if (security.some((each) => 'webhookSignature' in each)) {
      return this.hands.webhookHeaders(JSON.stringify(body));
    }
    return security.some((each) => 'session' in each) && this.cookie ? { Cookie: this.cookie } : {};
  }

  /** Sends a request; `text` is sent in place of the draft's body. */
  async send(
    { method, path }: Endpoint,
    draft: Draft,
    text?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Answer> {
    const target = path.replaceAll(/\{(\w+)\}/g, (_braces, name) =>
      encodeURIComponent(draft.path[name] ?? 'none'),
    );
    const query = new URLSearchParams(draft.query).toString();
    const response = await fetch(`${this.url}${target}${query && `?${query}`}`, {
      method,
      headers: { ...(method === 'post' ? { 'Content-Type': 'application/json' } : {}), ...draft.headers },
      ...(method === 'post' ? { body: text ?? JSON.stringify(draft.body) } : {}),
    });
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const body = type === 'application/json' ? await response.json() : await response.text();
    return { status: response.status, headers: response.headers, type, body };
  }

  /** Keeps what an answer gives for later: its cookie, and where its links lead. */
  follow({ operation }: Endpoint, answer: Answer): void {
    const [line] = answer.headers.getSetCookie();
    if (line) this.cookie = line.split(';')[0];
    const { links = {} } = operation.responses[answer.status] ?? {};
    for (const { operationId, parameters = {}, requestBody } of Object.values(links)) {
      this.#led.set(operationId, {
        parameters: evaluated(parameters, answer.body) as Record<string, string>,
        body: evaluated(requestBody, answer.body),
        answer: answer.body,
      });
    }
  }
}

/** The example of an operation's request. */
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
