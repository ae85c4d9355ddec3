import { ERROR_CODES, type ErrorCode } from '@service/contract';

/** Optional parts of a fault. */
export interface FaultOptions {
  /** Seconds after which the client may retry, for Retry-After. */
  readonly retryAfterSeconds?: number;
  /** More fields of the response next to `error`, as in `GET /api/health/ready`. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A refusal with an error code of the wire (SPEC.md section 7). A route may throw it anywhere; the error handler sends it. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string = ERROR_CODES[code].meaning, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.body = options.body ?? {};
  }
}

/** Returns INVALID_REQUEST, the fault of a request that can never succeed unchanged. */
export function invalidRequest(message: string): ServiceFault {
  return new ServiceFault('INVALID_REQUEST', message);
}
