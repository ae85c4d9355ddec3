import { ERROR_CODES, type ErrorCode } from '@service/contract';

/** What a fault may carry beside its code and message. */
export interface FaultOptions {
  /** Seconds after which the client may try again, for Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Fields of the answer beside `error`, as `GET /api/health/ready` has them. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A refusal with a code of the wire (SPEC.md section 7); thrown anywhere below a route, answered by the error handler. */
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
