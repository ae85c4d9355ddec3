import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy before an RPC. It can hold or break the calls of one method, so that a test knows which calls are open. */
export type RpcGate = Awaited<ReturnType<typeof openRpcGate>>;

/** Opens a gate before the RPC at this URL. */
export async function openRpcGate(rpcUrl: string) {
  const held = new Map<string, { reached: () => void; gate: Promise<void>; open: () => void }>();
  const broken = new Set<string>();
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { method } = JSON.parse(body) as { method: string };
    if (broken.has(method)) return void request.socket.destroy();
    const hold = held.get(method);
    hold?.reached();
    await hold?.gate;
    const json = { 'content-type': 'application/json' };
    const answer = await fetch(rpcUrl, { method: 'POST', body, headers: json });
    response.writeHead(answer.status, json).end(await answer.text());
  };
  // The caller or the RPC may have closed its connection.
  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  // By default Node closes an idle connection after 5 s. A client may send its next request on it at that moment.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Holds every further call of the method. Resolves when the first one arrives. */
    hold: (method: string) =>
      new Promise<void>((reached) => {
        let open = () => {};
        const gate = new Promise<void>((resolve) => {
          open = resolve;
        });
        held.set(method, { reached, gate, open });
      }),
    /** Breaks the connection of every further call of the method. */
    cut: (method: string) => void broken.add(method),
    /** Releases the held calls of a method, or of all methods, and forwards further calls. */
    release(method?: string) {
      for (const name of method === undefined ? [...broken, ...held.keys()] : [method]) {
        broken.delete(name);
        held.get(name)?.open();
        held.delete(name);
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
