import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of an RPC. A test can change its answers, and stop it. */
export type RpcProxy = Awaited<ReturnType<typeof openRpcProxy>>;

/** Opens a proxy on loopback. */
export async function openRpcProxy(rpcUrl: string) {
  /** Answers in place of the RPC's, by method: the `result` or the `error` of JSON-RPC. */
  const answers = new Map<string, object>();
  let sends = Number.POSITIVE_INFINITY;
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { id, method } = JSON.parse(body) as { id: unknown; method: string };
    if (method === 'sendTransaction') sends -= 1;
    if (sends < 0) return void request.socket.destroy();
    const json = { 'content-type': 'application/json' };
    const own = answers.get(method);
    if (own) return void response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, ...own }));
    const answer = await fetch(rpcUrl, { method: 'POST', body, headers: json });
    response.writeHead(answer.status, json).end(await answer.text());
  };
  // The caller or the RPC may have closed its connection.
  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    /** Closes every connection after this many more transactions. `Infinity` ends that. */
    disappearAfter(transactions: number) {
      sends = transactions;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
