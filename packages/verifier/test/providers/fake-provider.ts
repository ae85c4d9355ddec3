/**
 * A provider on this machine, for tests and for trying the verifier. It authenticates calls, shows a page on which a person
 * chooses the decision, and sends signed webhooks. What the API and the webhooks of one provider look like is in its own file.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { choicePage, DELAY_SECONDS } from './choice-page.ts';
import { type FakePerson, PERSON, WRONG_PERSON } from './fake-person.ts';

export type FakeState = 'created' | 'opened' | 'pending' | 'approved' | 'declined' | 'retry';

/** A check at the provider. */
export interface FakeCheck {
  readonly id: string;
  readonly reference: string;
  readonly returnUrl: string;
  state: FakeState;
  person: FakePerson;
  tags: readonly string[];
  /** Unix milliseconds. */
  changedAt: number;
}

export interface FakeCall {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface FakeWebhook {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** What one provider does differently. */
export interface FakeProtocol {
  /** Returns the JSON of a response, or the status of a rejection. */
  respond(call: FakeCall, fake: FakeProvider): { readonly json: unknown; readonly status?: number } | number;
  /** Returns the webhook about the state of a check. */
  webhook(check: FakeCheck, now: number): FakeWebhook;
}

export interface FakeProvider {
  /** The URL of the API. */
  readonly url: string;
  readonly checks: Map<string, FakeCheck>;
  /** The webhooks so far, oldest first. */
  readonly webhooks: readonly FakeWebhook[];
  /** Where webhooks go. Without it, they are only recorded. */
  webhookUrl: string | undefined;
  /** Changes the JSON of each response, to test documented states and broken responses. */
  alter: (json: unknown) => unknown;
  now(): number;
  add(check: Pick<FakeCheck, 'id' | 'reference' | 'returnUrl'>): FakeCheck;
  pageOf(check: FakeCheck): string;
  /** Decides, as the provider's staff would, and sends the webhook. */
  decide(id: string, state: FakeState, person?: FakePerson): Promise<void>;
  send(webhook: FakeWebhook): Promise<void>;
  close(): void;
}

/** Returns an HMAC in hex. It is not the function that the adapters use. */
export function macOf(key: string, message: string, algorithm = 'sha256'): string {
  return createHmac(algorithm, key).update(message).digest('hex');
}

/** The times of a fake provider. */
export interface FakeTimes {
  /** Unix milliseconds. @default the clock of this machine */
  readonly now?: () => number;
  /** Milliseconds until a decision that comes later. @default 20 seconds, as the page says */
  readonly laterMs?: number;
}

/** Starts a provider. */
export async function startFakeProvider(
  protocol: FakeProtocol,
  { now = Date.now, laterMs = DELAY_SECONDS * 1000 }: FakeTimes = {},
): Promise<FakeProvider> {
  const webhooks: FakeWebhook[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const fake: FakeProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    checks: new Map(),
    webhooks,
    webhookUrl: undefined,
    alter: (json) => json,
    now,
    add(check) {
      const added: FakeCheck = { ...check, state: 'created', person: PERSON, tags: [], changedAt: now() };
      fake.checks.set(check.id, added);
      return added;
    },
    pageOf: ({ id }) => `${fake.url}/page/${id}`,
    async decide(id, state, person) {
      const check = fake.checks.get(id);
      if (!check) throw new Error(`There is no check ${id}.`);
      Object.assign(check, { state, changedAt: now(), ...(person && { person }) });
      const webhook = protocol.webhook(check, now());
      webhooks.push(webhook);
      await fake.send(webhook);
    },
    async send({ headers, body }) {
      if (fake.webhookUrl === undefined) return;
      const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
      // A provider does not stop when a webhook cannot be delivered.
      await fetch(fake.webhookUrl, request).catch(() => undefined);
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      server.close();
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await text(request);
    // A test can block this process until an idle connection is closed, and the next request on it would fail.
    response.setHeader('connection', 'close');
    const id = /^\/page\/([^/?]+)/.exec(path)?.[1];
    if (id !== undefined) return servePage(decodeURIComponent(id), request.method, body, response);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const answer = protocol.respond({ method: request.method ?? '', path, headers, body }, fake);
    if (typeof answer === 'number') return void response.writeHead(answer).end('{"description":"rejected"}');
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(fake.alter(answer.json)));
  }

  async function servePage(id: string, method: string | undefined, body: string, response: ServerResponse) {
    const check = fake.checks.get(id);
    if (!check) return void response.writeHead(404).end('There is no such check.');
    if (method !== 'POST') {
      if (check.state === 'created') check.state = 'opened';
      return void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(choicePage(check.person));
    }
    const form = new URLSearchParams(body);
    const typed = Object.keys(PERSON).flatMap((field) => (form.get(field) ? [[field, form.get(field)]] : []));
    await choose(id, form.get('choice') ?? '', { ...PERSON, ...Object.fromEntries(typed) });
    const back = new URL(check.returnUrl);
    back.searchParams.set('status', check.state);
    response.writeHead(303, { location: back.href }).end();
  }

  async function choose(id: string, choice: string, person: FakePerson): Promise<void> {
    const later = (state: FakeState) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        fake.decide(id, state, person).catch(() => undefined);
      }, laterMs);
      timers.add(timer);
    };
    if (choice === 'wrong data') return fake.decide(id, 'approved', WRONG_PERSON);
    if (choice === 'approved slowly') {
      await fake.decide(id, 'pending', person);
      return later('approved');
    }
    if (choice === 'approved, then declined') {
      await fake.decide(id, 'approved', person);
      return later('declined');
    }
    const states: readonly string[] = ['approved', 'declined', 'retry', 'pending'];
    if (states.includes(choice)) await fake.decide(id, choice as FakeState, person);
  }

  return fake;
}
