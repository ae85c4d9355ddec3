/** A verifier that opens a page for every session. The campaign delivers its webhook messages itself. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts the verifier on loopback. */
export async function openVerifier() {
  const server = createServer(async (request, response) => {
    await request.toArray();
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ url: 'https://verifier.example/page' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
