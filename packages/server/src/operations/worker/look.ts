import type { Service } from '../../service.ts';
import type { OperationRow } from '../tables.ts';

/** One look of the worker at its operations. */
export interface Look {
  readonly service: Service;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
}

/** An operation that this look holds the lease of. */
export interface Held {
  readonly row: OperationRow;
  readonly owner: string;
}

/** Milliseconds for which one RPC call may keep the worker from all other operations. */
const CALL_TIMEOUT_MS = 5_000;

/** The signal for one RPC call of a look. */
export function callSignal({ signal }: Look): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
}
