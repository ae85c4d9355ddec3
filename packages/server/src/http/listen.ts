/** The listener: HTTP until it is closed, and then to the end of what is under way. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { HttpApp } from './routing/variables.ts';

/** Milliseconds that a visitor has to send a request to its end, in place of Node's five minutes. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds between two looks for requests that take longer. */
const REQUEST_TIMEOUT_LOOK_MS = 5_000;

/** A listening server. */
export interface Listener {
  readonly port: number;
  readonly url: string;
  /**
   * Takes no further connection; resolves when every request under way has its answer. When the signal aborts, the
   * connections that are left are broken.
   */
  close(signal: AbortSignal): Promise<void>;
}

/** Serves an app over HTTP; resolves when it listens, rejects when the port is taken. */
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
  const underWay = new Set<ServerResponse>();
  // Before the app's own listener, while headers can still be set.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
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
        const breakOff = () => server.closeAllConnections();
        server.close(() => {
          signal.removeEventListener('abort', breakOff);
          resolve();
        });
        // The server closes connections that are idle, but one with a request under way would be kept open for the next.
        for (const response of underWay) endConnectionAfter(response);
        if (signal.aborted) breakOff();
        else signal.addEventListener('abort', breakOff, { once: true });
      }),
  };
}

function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  else response.once('finish', () => response.socket?.end());
}
