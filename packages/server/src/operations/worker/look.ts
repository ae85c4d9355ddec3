import type { Leased } from '../../database/lease.ts';
import type { OperationRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';

/** One check of operations by the worker. */
export interface Look {
  readonly service: Service;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
}

/** An operation that the worker has leased. */
export type LeasedOperation = Leased<OperationRow>;

/** Milliseconds after which an RPC call is aborted, because it delays all other operations. */
const CALL_TIMEOUT_MS = 5_000;

/** Returns the signal for one RPC call. */
export function callSignal({ signal }: Look): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
}
