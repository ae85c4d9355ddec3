/** A proxy before the RPC of one server, with the faults of real nodes and of balancers before them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Random } from '../../random.ts';
import {
  behindError,
  type Call,
  CHANGED_METHODS,
  CURRENT,
  type NodeState,
  paramsAt,
  resultAt,
} from './alter.ts';
import { type ClusterView, signatureOf } from './cluster-view.ts';

/** What a request can meet instead of the RPC's response. */
export type TransportFault =
  | 'time-out'
  | 'reset'
  | 'status 429'
  | 'status 5xx'
  | 'broken JSON'
  | 'HTML with status 200'
  | 'lost response';
/** What a broadcast can meet. */
export type BroadcastFault = 'lost' | 'doubled' | 'fork';

/** The faults of a proxy now. */
export interface RpcFaults {
  /** Each request meets the fault with this probability. */
  transport: Map<TransportFault, number>;
  /** The nodes behind the balancer. Each call reaches a random one. */
  nodes: readonly NodeState[];
  broadcast: BroadcastFault | null;
}

const noFaults = (): RpcFaults => ({ transport: new Map(), nodes: [CURRENT], broadcast: null });

/** A running proxy. */
export type RpcProxy = Awaited<ReturnType<typeof openRpcProxy>>;

/** Opens a proxy on loopback. `view` is that of the chain at `rpcUrl`. */
export async function openRpcProxy({
  rpcUrl,
  view,
  random,
}: {
  rpcUrl: string;
  view: ClusterView;
  random: Random;
}) {
  const faults = noFaults();
  const sockets = new Set<Socket>();

  const ask = async (call: Call): Promise<string> => {
    const body = JSON.stringify({ ...call, jsonrpc: '2.0' });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(rpcUrl, { method: 'POST', body, headers })).text();
  };

  const answer = async (call: Call): Promise<string> => {
    if (call.method === 'sendTransaction') return send(call);
    const node = random.pick(faults.nodes);
    const behind = behindError(call, node, view);
    if (behind) return JSON.stringify({ jsonrpc: '2.0', id: call.id, error: behind });
    const text = await ask({ ...call, params: paramsAt(call, node) });
    if (!CHANGED_METHODS.has(call.method)) return text;
    const parsed = JSON.parse(text) as { result?: unknown };
    if (parsed.result === undefined) return text;
    return JSON.stringify({ ...parsed, result: resultAt(call, parsed.result, node, view) });
  };

  const send = async (call: Call): Promise<string> => {
    const wire = call.params?.[0] as string;
    const accepted = () => JSON.stringify({ jsonrpc: '2.0', id: call.id, result: signatureOf(wire) });
    // A fork keeps one half of its transactions for good.
    if (faults.broadcast === 'fork') view.fork(wire, { isGone: random.next() < 0.5 });
    if (faults.broadcast === 'lost' || view.ignores(wire)) return accepted();
    if (faults.broadcast === 'doubled') {
      await ask(call);
      setTimeout(() => void ask(call).catch(() => undefined), 300).unref();
    }
    return ask(call);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const payload = JSON.parse(body) as Call | Call[];
    const fault = [...faults.transport].find(([, probability]) => random.next() < probability)?.[0];
    if (fault && fault !== 'lost response') return fail(fault, request, response, random);
    const text = Array.isArray(payload)
      ? `[${(await Promise.all(payload.map(answer))).join(',')}]`
      : await answer(payload);
    if (fault) return void request.socket.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 120_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    /** Ends every fault. Requests that wait for a response stay open, as at a real node. */
    endFaults: () => void Object.assign(faults, noFaults()),
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function fail(
  fault: TransportFault,
  request: IncomingMessage,
  response: ServerResponse,
  random: Random,
): void {
  const html = { 'content-type': 'text/html' };
  switch (fault) {
    case 'time-out':
      // The caller has to give up.
      return;
    case 'reset':
      return void request.socket.destroy();
    case 'status 429':
      return void response.writeHead(429, { ...html, 'retry-after': '1' }).end('Too Many Requests');
    case 'status 5xx':
      return void response.writeHead(random.pick([500, 502, 503, 504]), html).end('<h1>Bad Gateway</h1>');
    case 'HTML with status 200':
      return void response.writeHead(200, html).end('<html><h1>Welcome to the balancer</h1></html>');
    default:
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":"1","resu');
  }
}
