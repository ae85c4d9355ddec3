import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Sockets } from './sockets.ts';

/** Passes the WebSocket handshakes of a server to the sockets. Returns a function that ends its connections. */
export function serveSockets(server: Server, sockets: Sockets): () => void {
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    const isWebSocket =
      request.method === 'GET' && request.headers.upgrade?.trim().toLowerCase() === 'websocket';
    if (!isWebSocket) return serveWithoutUpgrade(server, request, socket, head);
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    sockets.accept(request, socket, head);
  });
  return () => {
    for (const socket of upgraded) socket.destroy();
  };
}

/**
 * Opens a port that serves only WebSocket, as on a validator. Returns undefined if that is impossible, for example
 * because another process uses the port.
 */
export async function openSocketPort(host: string, port: number): Promise<Server | undefined> {
  const server = createServer((_request, response) => {
    response.statusCode = 426;
    response.setHeader('upgrade', 'websocket');
    response.setHeader('connection', 'upgrade, close');
    response.end('This port serves only WebSocket. Send HTTP requests to the port before it.');
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return server;
  } catch {
    return undefined;
  }
}

/** Handles a request as if it had not asked for another protocol, as Node does without a listener for upgrades. */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.toLowerCase() !== 'upgrade') text += `${name}: ${rawHeaders[index + 1]}\r\n`;
  }
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
