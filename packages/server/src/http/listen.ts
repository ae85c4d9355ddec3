/** The HTTP listener. When it closes, it finishes the requests in progress. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { HttpApp } from './routing/variables.ts';

/** Milliseconds within which a visitor must send a whole request. Node's default is five minutes. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds between two checks for late requests. */
const REQUEST_TIMEOUT_LOOK_MS = 5_000;

/** A listening server. */
export interface Listener {
  readonly port: number;
  readonly url: string;
  /**
   * Accepts no new connections and resolves when every request in progress has its response. When the signal aborts, it
   * closes the remaining connections.
   */
  close(signal: AbortSignal): Promise<void>;
}

/** Serves an app over HTTP. Resolves when it listens; rejects if the port is taken. */
export async function listen(
  app: HttpApp,
  { port, host = '127.0.0.1' }: { port: number; host?: string },
): Promise<Listener> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: REQUEST_TIMEOUT_LOOK_MS,
    },
  }) as Server;
  const pending = new Set<ServerResponse>();
  // Run before the app's listener, while headers can still be set.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    pending.add(response);
    response.once('close', () => pending.delete(response));
    if (!server.listening) endConnectionAfter(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    port: address.port,
    url: `http://${name}:${address.port}`,
    close: (signal) =>
      new Promise<void>((resolve) => {
        const closeConnections = () => server.closeAllConnections();
        server.close(() => {
          signal.removeEventListener('abort', closeConnections);
          resolve();
        });
        // The server closes idle connections, but would keep a connection with a pending request open for the next one.
        for (const response of pending) endConnectionAfter(response);
        if (signal.aborted) closeConnections();
        else signal.addEventListener('abort', closeConnections, { once: true });
      }),
  };
}

function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  else response.once('finish', () => response.socket?.end());
}
