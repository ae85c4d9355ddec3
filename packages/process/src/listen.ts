/** The HTTP listener. When it closes, it finishes the requests in progress. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { networkOf } from './client-address.ts';

/** An app that handles requests, such as one of hono. */
export interface App {
  readonly fetch: Parameters<typeof getRequestListener>[0];
}

/** Milliseconds within which a visitor must send a whole request. Node's default is five minutes. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds within which a visitor must send the headers. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Milliseconds between two checks for late requests. */
const REQUEST_TIMEOUT_LOOK_MS = 5_000;
/** Connections of one network that may wait for the headers of their first request. A proxy sends them at once. */
export const MOST_WAITING = 100;

/** A port of this process. Its requests wait until `serveOn` gives it an app. */
export interface OpenPort {
  readonly port: number;
  readonly url: string;
  readonly server: Server;
  /** Handles the requests that have come, and those that come later. */
  serve(handle: RequestListener): void;
}

/** A listening server. */
export interface Listener extends Pick<OpenPort, 'port' | 'url'> {
  /**
   * Accepts no new connections and resolves when every request in progress has its response. When the signal aborts, it
   * closes the remaining connections.
   */
  close(signal: AbortSignal): Promise<void>;
}

/** Opens a port; 0 means any free port. Rejects if the port is taken. */
export async function openPort({
  port,
  host = '127.0.0.1',
}: {
  port: number;
  host?: string;
}): Promise<OpenPort> {
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: REQUEST_TIMEOUT_LOOK_MS,
  });
  boundWaiting(server);
  const waiting: Parameters<RequestListener>[] = [];
  const wait: RequestListener = (...request) => void waiting.push(request);
  server.on('request', wait);
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
    server,
    serve(handle) {
      server.off('request', wait);
      server.on('request', handle);
      for (const request of waiting.splice(0)) handle(...request);
    },
  };
}

/** Serves an app over HTTP. Resolves when it listens; rejects if the port is taken. */
export async function listen(app: App, where: { port: number; host?: string }): Promise<Listener> {
  return serveOn(await openPort(where), app);
}

/** Serves an app on an open port. */
export function serveOn({ port, url, server, serve }: OpenPort, app: App): Listener {
  const pending = new Set<ServerResponse>();
  const answer = getRequestListener(app.fetch);
  serve((request, response) => {
    pending.add(response);
    response.once('close', () => pending.delete(response));
    // Before the app answers, headers can still be set.
    if (!server.listening) endConnectionAfter(response);
    void answer(request, response);
  });
  return {
    port,
    url,
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

/**
 * Limits the connections of one network that wait for the headers of their first request. Above the limit, it closes the
 * oldest one. So slow headers can only replace other slow headers, and a quick request still gets its response.
 */
function boundWaiting(server: Server): void {
  const networks = new Map<string, Set<Socket>>();
  const leaveOf = new WeakMap<Socket, () => void>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress);
    const waiting = networks.get(network) ?? new Set();
    networks.set(network, waiting.add(socket));
    const leave = () => {
      if (waiting.delete(socket) && waiting.size === 0) networks.delete(network);
    };
    leaveOf.set(socket, leave);
    socket.once('close', leave);
    if (waiting.size <= MOST_WAITING) return;
    const [oldest] = waiting;
    leaveOf.get(oldest!)?.();
    oldest!.destroy();
  });
  server.on('request', ({ socket }) => leaveOf.get(socket)?.());
}
