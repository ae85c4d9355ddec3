import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handlePayload } from './rpc/handle.ts';
import { stringifyJson } from './rpc/json.ts';
import { handleText } from './rpc/json-rpc.ts';
import type { RpcNode } from './rpc/node.ts';
import type { Sockets } from './subscriptions/sockets.ts';
import { openSocketPort, serveSockets } from './subscriptions/upgrades.ts';

/** The largest request body that a validator accepts, in bytes. */
const DEFAULT_MAX_BODY_BYTES = 50 * 1024;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

export interface ListenOptions {
  /** 0 chooses a free port, with a free one after it. @default 8899 */
  port?: number;
  /** @default '127.0.0.1' */
  host?: string;
  /** Allows a host that other machines can reach. They can use the faucet too. @default false */
  allowRemote?: boolean;
  /** Largest request body in bytes. @default 51200, as on a validator */
  maxBodyBytes?: number;
}

/** A listening server. */
export interface Listener {
  /** URL of the node, such as `http://127.0.0.1:8899`. */
  url: string;
  /**
   * URLs for subscriptions: the port of `url`, then the port after it, where web3.js looks for them. The second is missing
   * if a port was named and the one after it was not free.
   */
  websocketUrls: [string, string?];
  close(): Promise<void>;
}

/**
 * Serves a node over HTTP, and its subscriptions over WebSocket. Rejects if the host is not loopback and `allowRemote` is
 * not set.
 */
export async function listen(
  node: RpcNode,
  sockets: Sockets,
  options: ListenOptions = {},
): Promise<Listener> {
  const {
    port = 8899,
    host = '127.0.0.1',
    allowRemote = false,
    maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
  } = options;
  if (!allowRemote && !LOOPBACK.has(host)) {
    throw new Error(`Other machines can reach ${host}. Set allowRemote: true to allow that.`);
  }
  const server = createServer((request, response) => {
    if (node.faults.availability === 'unreachable') request.socket.destroy();
    // Only a request that its client aborted rejects here, so there is nobody to send an error to.
    else handle(node, request, response, maxBodyBytes).catch(() => request.socket.destroy());
  });
  const endFirst = serveSockets(server, sockets);
  // Node closes idle connections after 5 s, just when a busy client may send its next request on one.
  server.keepAliveTimeout = 120_000;
  const { address, family, bound, next } = await bindPorts(server, port, host);
  const endNext = next && serveSockets(next, sockets);
  const name = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${name}:${bound}`,
    websocketUrls: next ? [`ws://${name}:${bound}`, `ws://${name}:${bound + 1}`] : [`ws://${name}:${bound}`],
    close: async () => {
      const closed = [closeServer(server), next && closeServer(next)];
      endFirst();
      endNext?.();
      await Promise.all(closed);
    },
  };
}

/** Binds the port, and the one after it if it is free. Any free port will do for port 0, so it tries until both are. */
async function bindPorts(server: Server, port: number, host: string) {
  for (let triesLeft = 20; ; triesLeft--) {
    await once(server.listen(port, host), 'listening');
    const { address, family, port: bound } = server.address() as AddressInfo;
    const next = await openSocketPort(address, bound + 1);
    if (next || port !== 0 || triesLeft === 0) return { address, family, bound, next };
    await closeServer(server);
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function handle(
  node: RpcNode,
  request: IncomingMessage,
  response: ServerResponse,
  maxBodyBytes: number,
) {
  // A validator accepts browser requests from any origin.
  response.setHeader('access-control-allow-origin', '*');
  if (node.faults.availability === 'unavailable') return end(response, 503, 'Service Unavailable');
  if (request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
    response.setHeader('access-control-allow-headers', 'content-type, solana-client');
    response.setHeader('access-control-max-age', '86400');
    return end(response, 204);
  }
  if (request.method === 'GET' && request.url === '/health') return end(response, 200, 'ok');
  if (request.method !== 'POST')
    return end(response, 405, 'Used HTTP Method is not allowed. POST or OPTIONS is required');
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return end(
      response,
      415,
      'Supplied content type is not allowed. Content-Type: application/json is required',
    );
  }
  const body = await readBody(request, maxBodyBytes);
  if (body === null) {
    response.setHeader('connection', 'close');
    return end(response, 413, 'Request body is too large');
  }
  const result = handleText(body, (payload) => handlePayload(node, payload));
  if (result === undefined) return end(response, 204);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  end(response, 200, stringifyJson(result));
}

/** Returns the text of the body, or null if it is too long. Then it reads and drops the rest. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else resolve(null);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}

function end(response: ServerResponse, status: number, body?: string): void {
  response.statusCode = status;
  response.end(body);
}
