import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import type { Localnet } from '../../src/index.ts';

/** Creates an RPC of a localnet that calls these functions around each call. Both can throw; `after` can change the response. */
export function watchedRpc(
  net: Localnet,
  around: {
    before?: (method: string) => void;
    after?: (method: string, params: unknown[], response: unknown) => void;
  },
) {
  return createSolanaRpcFromTransport((async (request: Parameters<RpcTransport>[0]) => {
    const { method, params } = request.payload as { method: string; params: unknown[] };
    around.before?.(method);
    const response = await net.transport(request);
    around.after?.(method, params, response);
    return response;
  }) as RpcTransport);
}
