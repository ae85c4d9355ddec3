import { type RequestOptions, request } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Lets a server listen on a free loopback port, and returns the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export const closeServer = (server: Server) => new Promise((resolve) => void server.close(resolve));

/** Sends a GET request with options that `fetch` does not have. */
export function getWith(options: RequestOptions): Promise<{ connection: string | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ connection: response.headers.connection, body }));
    });
    sent.once('error', reject);
    sent.end();
  });
}
