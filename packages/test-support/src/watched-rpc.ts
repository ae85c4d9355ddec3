import type { Localnet } from '@service/localnet';
import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';

/** Functions that see each call, and can throw. */
export interface RpcWatcher {
  before?: (method: string) => void;
  /** May change the response. */
  after?: (method: string, params: unknown[], response: unknown) => void;
}

/** Creates an RPC of a localnet that shows each call to a watcher. */
export function watchedRpc(net: Localnet, { before, after }: RpcWatcher) {
  return createSolanaRpcFromTransport((async (request: Parameters<RpcTransport>[0]) => {
    const { method, params } = request.payload as { method: string; params: unknown[] };
    before?.(method);
    const response = await net.transport(request);
    after?.(method, params, response);
    return response;
  }) as RpcTransport);
}
