import type { Service } from '../../service.ts';
import type { OperationRow } from '../tables.ts';

/** One step of the worker over its operations. */
export interface Look {
  readonly service: Service;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
}

/** An operation that this step has leased. */
export interface Held {
  readonly row: OperationRow;
  readonly owner: string;
}

/** Timeout of one RPC call, in milliseconds: it must not block the worker for other operations. */
const CALL_TIMEOUT_MS = 5_000;

/** Returns the signal for one RPC call of a step. */
export function callSignal({ signal }: Look): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
}
