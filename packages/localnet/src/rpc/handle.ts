import { accountMethods } from './accounts.ts';
import { blockhashMethods } from './blockhashes.ts';
import { blockMethods } from './blocks/blocks.ts';
import { feeMethods } from './blocks/prioritization-fees.ts';
import { clusterMethods } from './cluster.ts';
import { historyMethods } from './history.ts';
import { handleCalls, type RpcResponse } from './json-rpc.ts';
import type { RpcMethods, RpcNode } from './node.ts';
import { sendingMethods } from './sending/sending.ts';
import { simulatingMethods } from './sending/simulating.ts';
import { tokenMethods } from './tokens.ts';

const METHODS: RpcMethods = {
  ...clusterMethods,
  ...blockhashMethods,
  ...accountMethods,
  ...tokenMethods,
  ...sendingMethods,
  ...simulatingMethods,
  ...historyMethods,
  ...blockMethods,
  ...feeMethods,
};

/** Handles one JSON-RPC payload of the HTTP methods. It never throws. */
export function handlePayload(node: RpcNode, payload: unknown): RpcResponse | RpcResponse[] | undefined {
  return handleCalls(payload, (name) => {
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    return method && ((params) => method(node, params));
  });
}
