import { useServiceClient } from '@service/sdk/react';
import { createSolanaRpc, type Rpc, type SolanaRpcApi } from '@solana/kit';

const rpcs = new Map<string, Rpc<SolanaRpcApi>>();

/** Returns the page's own RPC, for what neither the service nor the SDK reads: balances. */
export function useRpc(): Rpc<SolanaRpcApi> {
  const { rpcUrl } = useServiceClient().deployment;
  const rpc = rpcs.get(rpcUrl) ?? createSolanaRpc(rpcUrl);
  rpcs.set(rpcUrl, rpc);
  return rpc;
}
