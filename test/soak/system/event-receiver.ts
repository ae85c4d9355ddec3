/** A receiver of webhooks, which accepts events or fails as a campaign says, and records what it accepted. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
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

/** How a receiver fails. In the last two it has accepted the event. */
export const RECEIVER_FAULTS = ['status 503', 'reset', 'hangs', 'endless body', 'lost response'] as const;
/** A way in which a receiver fails. */
export type ReceiverFault = (typeof RECEIVER_FAULTS)[number];

/** A running receiver. */
export type EventReceiver = Awaited<ReturnType<typeof openEventReceiver>>;

/** Starts the receiver on loopback. It rejects a message whose signature is wrong. */
export async function openEventReceiver() {
  const events = new Map<string, ReceivedEvent>();
  /** The events that were accepted in a calm time, by id. */
  const calm = new Map<string, number>();
  const state = { fault: null as ReceiverFault | null, isCalm: false };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = new Headers(request.headers as Record<string, string>);
    const verdict = verifyWebhook({ secret: WEBHOOK_SECRET, now: Date.now(), body, headers });
    if (!verdict.authentic) return void response.writeHead(401).end();
    const { fault } = state;
    if (fault === 'hangs') return;
    if (fault === 'reset') return void response.destroy();
    if (fault === 'status 503') return void response.writeHead(503).end();
    const event = JSON.parse(body) as ReceivedEvent;
    if (!events.has(event.id)) events.set(event.id, event);
    if (state.isCalm) calm.set(event.id, (calm.get(event.id) ?? 0) + 1);
    accept(response, fault);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** In the order in which they were first accepted. */
    events: () => [...events.values()],
    /** The ids of events that were accepted more than once in one calm time. */
    repeated: () => [...calm].filter(([, count]) => count > 1).map(([id]) => id),
    /** Fails until the next call; null accepts everything. */
    fail(fault: ReceiverFault | null): void {
      state.fault = fault;
    },
    /** Says whether nothing fails, so that no event may come twice. */
    setCalm(isCalm: boolean): void {
      state.isCalm = isCalm;
      // What came before the faults may come again.
      for (const [id, count] of calm) if (!isCalm && count === 1) calm.delete(id);
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function accept(response: ServerResponse, fault: 'endless body' | 'lost response' | null): void {
  if (fault === 'lost response') response.destroy();
  else if (fault === 'endless body') response.writeHead(200).write('{');
  else response.writeHead(204).end();
}
