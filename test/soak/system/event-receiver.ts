/** A receiver of webhooks, which accepts each event and records the first arrival of every id. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@service/contract/verifier';
import { WEBHOOK_SECRET } from '@service/server/test-service';

/** An event as it was received. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly wallet: string;
  readonly data: { readonly operationId?: string };
}

/** A running receiver. */
export type EventReceiver = Awaited<ReturnType<typeof openEventReceiver>>;

/** Starts the receiver on loopback. It rejects a message whose signature is wrong. */
export async function openEventReceiver() {
  const events = new Map<string, ReceivedEvent>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = new Headers(request.headers as Record<string, string>);
    const verdict = verifyWebhook({ secret: WEBHOOK_SECRET, now: Date.now(), body, headers });
    const event = JSON.parse(body) as ReceivedEvent;
    if (verdict.authentic && !events.has(event.id)) events.set(event.id, event);
    response.writeHead(verdict.authentic ? 204 : 401).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** In the order in which they first arrived. */
    events: () => [...events.values()],
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
