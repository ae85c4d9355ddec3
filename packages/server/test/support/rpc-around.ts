import type { Localnet } from '@service/localnet';
import { createSolanaRpcFromTransport, type Rpc, type RpcTransport, type SolanaRpcApi } from '@solana/kit';

/**
 * Creates an RPC of a localnet. `around` runs instead of each call and returns its response. It gets a function that makes
 * the call.
 */
export function rpcAround(
  net: Pick<Localnet, 'transport'>,
  around: (call: () => Promise<unknown>, method: string, params: readonly unknown[]) => unknown,
): Rpc<SolanaRpcApi> {
  const transport = async (request: Parameters<RpcTransport>[0]) => {
    const { method, params } = request.payload as { method: string; params: readonly unknown[] };
    return around(() => net.transport(request), method, params);
  };
  return createSolanaRpcFromTransport(transport as RpcTransport) as unknown as Rpc<SolanaRpcApi>;
}

/** Returns a JSON-RPC response. */
export const resultOf = (result: unknown) => ({ jsonrpc: '2.0', id: '1', result });

/** Creates an RPC of a localnet that adds the transactions that are sent to a list. */
export const rpcThatRecords = (net: Pick<Localnet, 'transport'>, sent: string[]) =>
  rpcAround(net, (call, method, [wire]) => {
    if (method === 'sendTransaction') sent.push(wire as string);
    return call();
  });
