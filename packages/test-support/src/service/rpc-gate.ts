/** A proxy before an RPC. It holds or cuts off the calls of one method, so that a test knows what is under way. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy before an RPC. */
export interface RpcGate {
  readonly url: string;
  /** Holds every further call of the method; resolves when the first has come. */
  hold(method: string): Promise<void>;
  /** Breaks the connection of every further call of the method. */
  cut(method: string): void;
  /** Releases the held calls of a method, or of all methods, and passes further calls on. */
  letGo(method?: string): void;
  close(): Promise<void>;
}

/** Opens a gate before the RPC at this URL. */
export async function openRpcGate(rpcUrl: string): Promise<RpcGate> {
  const held = new Map<string, { reached: () => void; gate: Promise<void>; open: () => void }>();
  const cut = new Set<string>();
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { method } = JSON.parse(body) as { method: string };
    if (cut.has(method)) return void request.socket.destroy();
    const hold = held.get(method);
    hold?.reached();
    await hold?.gate;
    const json = { 'content-type': 'application/json' };
    const answer = await fetch(rpcUrl, { method: 'POST', body, headers: json });
    response.writeHead(answer.status, json).end(await answer.text());
  };
  // Either end may be gone: the caller, or the RPC.
  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  // Node closes idle connections after 5 s, just when a busy client may send its next request on one.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (method) =>
      new Promise((reached) => {
        let open = () => {};
        const gate = new Promise<void>((resolve) => {
          open = resolve;
        });
        held.set(method, { reached, gate, open });
      }),
    cut: (method) => void cut.add(method),
    letGo(method) {
      if (method === undefined) cut.clear();
      else cut.delete(method);
      for (const [name, { open }] of held) {
        if (method !== undefined && name !== method) continue;
        open();
        held.delete(name);
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
