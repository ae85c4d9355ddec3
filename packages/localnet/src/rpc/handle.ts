import { accountMethods } from './accounts.ts';
import { blockhashMethods } from './blockhashes.ts';
import { clusterMethods } from './cluster.ts';
import { RpcError } from './errors.ts';
import { historyMethods } from './history.ts';
import type { RpcMethods, RpcNode } from './node.ts';
import { Params } from './params.ts';
import { sendingMethods } from './sending.ts';
import { tokenMethods } from './tokens.ts';

const METHODS: RpcMethods = {
  ...clusterMethods,
  ...blockhashMethods,
  ...accountMethods,
  ...tokenMethods,
  ...sendingMethods,
  ...historyMethods,
};

export interface RpcResponse {
  jsonrpc: '2.0';
  id: unknown;
  result?: unknown;
  error?: ReturnType<RpcError['toJson']>;
}

/**
 * Handles one JSON-RPC payload: a request or a batch of requests. It never throws. Responses to a batch are in order.
 * Notifications (requests without an id) run and get no response.
 */
export function handlePayload(node: RpcNode, payload: unknown): RpcResponse | RpcResponse[] | undefined {
  if (!Array.isArray(payload)) return handleRequest(node, payload);
  if (payload.length === 0) return failure(null, new RpcError('invalidRequest', 'Invalid request'));
  const responses = payload.map((request) => handleRequest(node, request));
  return responses.filter((response) => response !== undefined);
}

function handleRequest(node: RpcNode, request: unknown): RpcResponse | undefined {
  const fields = (typeof request === 'object' && request !== null ? request : {}) as Record<string, unknown>;
  const id = fields.id ?? null;
  try {
    const result = call(node, fields);
    return fields.id === undefined ? undefined : { jsonrpc: '2.0', id, result };
  } catch (error) {
    return failure(id, error);
  }
}

function call(node: RpcNode, { jsonrpc, method, params }: Record<string, unknown>): unknown {
  if (jsonrpc !== '2.0' || typeof method !== 'string')
    throw new RpcError('invalidRequest', 'Invalid request');
  const run = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (!run) throw new RpcError('methodNotFound', 'Method not found');
  if (params !== undefined && params !== null && !Array.isArray(params)) {
    throw new RpcError('invalidParams', 'Invalid params: params must be an array.');
  }
  return run(node, new Params((params as unknown[] | undefined | null) ?? []));
}

function failure(id: unknown, error: unknown): RpcResponse {
  const isKnown = error instanceof RpcError;
  const rpcError = isKnown ? error : new RpcError('internalError', `Internal error: ${String(error)}`);
  return { jsonrpc: '2.0', id, error: rpcError.toJson() };
}
