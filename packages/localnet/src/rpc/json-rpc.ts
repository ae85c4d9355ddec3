import { RpcError } from './errors.ts';
import { Params } from './params.ts';

export interface RpcResponse {
  jsonrpc: '2.0';
  id: unknown;
  result?: unknown;
  error?: ReturnType<RpcError['toJson']>;
}

/** Returns the method with this name, or undefined if there is none. The method returns a result or throws RpcError. */
export type FindMethod = (name: string) => ((params: Params) => unknown) | undefined;

/** Handles the text of a JSON-RPC payload. It never throws. */
export function handleText(
  text: string,
  handle: (payload: unknown) => RpcResponse | RpcResponse[] | undefined,
): RpcResponse | RpcResponse[] | undefined {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return failure(null, new RpcError('parseError', 'Parse error'));
  }
  return handle(payload);
}

/**
 * Handles one JSON-RPC payload: a request or a batch of requests. It never throws. Responses to a batch are in order.
 * Notifications (requests without an id) run and get no response.
 */
export function handleCalls(payload: unknown, find: FindMethod): RpcResponse | RpcResponse[] | undefined {
  const requests: unknown[] = Array.isArray(payload) ? payload : [payload];
  if (!requests.every(isRequest)) return failure(null, new RpcError('parseError', 'Parse error'));
  if (!Array.isArray(payload)) return handleRequest(requests[0]!, find);
  if (payload.length === 0) return undefined;
  const responses = payload.map((request) => handleRequest(request, find));
  return responses.filter((response) => response !== undefined);
}

/** Returns whether a node can parse a request. It rejects a whole batch if it cannot parse one of them. */
function isRequest(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { id = null } = value as { id?: unknown };
  return id === null || typeof id === 'string' || typeof id === 'number';
}

function handleRequest(request: Record<string, unknown>, find: FindMethod): RpcResponse | undefined {
  const id = request.id ?? null;
  try {
    const result = run(request, find);
    return request.id === undefined ? undefined : { jsonrpc: '2.0', id, result };
  } catch (error) {
    return failure(id, error);
  }
}

function run({ jsonrpc, method, params }: Record<string, unknown>, find: FindMethod): unknown {
  const isStructured = params === undefined || params === null || typeof params === 'object';
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !isStructured)
    throw new RpcError('invalidRequest', 'Invalid request');
  const call = find(method);
  if (!call) throw new RpcError('methodNotFound', 'Method not found');
  if (params !== undefined && params !== null && !Array.isArray(params)) {
    throw new RpcError('invalidParams', '`params` should be an array');
  }
  return call(new Params((params as unknown[] | undefined | null) ?? []));
}

function failure(id: unknown, error: unknown): RpcResponse {
  const isKnown = error instanceof RpcError;
  const rpcError = isKnown ? error : new RpcError('internalError', `Internal error: ${String(error)}`);
  return { jsonrpc: '2.0', id, error: rpcError.toJson() };
}
