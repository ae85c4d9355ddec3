/** The JSON-RPC error codes of this node. */
const RPC_ERROR_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  blockCleanedUp: -32001,
  preflightFailure: -32002,
  blockNotAvailable: -32004,
  slotSkipped: -32007,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
  filterTransactionNotFound: -32020,
} as const;

export type RpcErrorName = keyof typeof RPC_ERROR_CODES;

/** An error response of a node: code, message and, for some codes, data. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(name: RpcErrorName, message: string, data?: unknown) {
    super(message);
    this.code = RPC_ERROR_CODES[name];
    this.data = data;
  }

  toJson(): { code: number; message: string; data?: unknown } {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** Returns the error for an invalid parameter. */
export function invalidParams(message: string): RpcError {
  return new RpcError('invalidParams', message);
}
