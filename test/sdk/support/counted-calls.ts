/** Counts what one client calls: the methods of its RPC, and the requests to the service. */
import type { Localnet } from '@service/localnet';
import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';

/** Numbers of calls, by name. */
export type Counts = Record<string, number>;

/** Returns an RPC and a fetch that count, and a function that returns the counts since it was last called. */
export function countedCalls(net: Pick<Localnet, 'transport'>, fetch: typeof globalThis.fetch) {
  let [rpcCalls, requests]: [Counts, Counts] = [{}, {}];
  const add = (counts: Counts, name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const transport = (request: Parameters<RpcTransport>[0]) => {
    add(rpcCalls, (request.payload as { method: string }).method);
    return net.transport(request as never);
  };
  const counted: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    add(requests, `${request.method} ${new URL(request.url).pathname.replace(/[0-9a-f-]{36}/, '{id}')}`);
    return fetch(request);
  };
  return {
    rpc: createSolanaRpcFromTransport(transport as RpcTransport) as unknown as Localnet['rpc'],
    fetch: counted,
    /** Counts a call of the RPC that a test answers itself. */
    add: (method: string) => add(rpcCalls, method),
    /** Returns what was called since the last time, and begins again. */
    taken() {
      const taken = { rpcCalls, requests };
      [rpcCalls, requests] = [{}, {}];
      return taken;
    },
  };
}

/** Returns the sum of counts. */
export const totalOf = (counts: Counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);
