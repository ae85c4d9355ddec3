/** A receiver of webhooks on loopback, which verifies each with the library that integrators use. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { closeServer, listenOnLoopback } from '../loopback.ts';

/** A webhook that was received. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly body: string;
  readonly event: { id: string; type: string; wallet: string; data: Record<string, unknown> };
  readonly signatures: readonly string[];
  /** Whether the library accepts its signature. */
  readonly isAuthentic: boolean;
}

/** Answers a webhook, or leaves it open. */
export type Respond = (webhook: ReceivedWebhook, response: ServerResponse) => unknown;

/** The receiver. A test sets `respond`. */
export interface Receiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  respond: Respond;
  close(): Promise<void>;
}

/** Responds with a status. */
export const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (_webhook, response) =>
    response.writeHead(code, headers).end();

/** Starts a receiver that accepts everything. */
export async function startReceiver(secret: string): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const webhook = await read(request, secret);
    received.push(webhook);
    await receiver.respond(webhook, response);
  });
  const port = await listenOnLoopback(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks?key=SECRET-KEY`,
    received,
    respond: status(204),
    async close() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
  return receiver;
}

async function read(request: IncomingMessage, secret: string): Promise<ReceivedWebhook> {
  let body = '';
  for await (const chunk of request) body += chunk;
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': signature = '',
  } = request.headers as Record<string, string>;
  // The library compares with the system's clock, which a test does not move. So sign what came, and compare.
  const expected = new Webhook(secret).sign(id, new Date(Number(timestamp) * 1_000), body);
  const signatures = signature.split(' ');
  return { id, body, event: JSON.parse(body), signatures, isAuthentic: signatures.includes(expected) };
}
