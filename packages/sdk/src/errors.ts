// Not from the index: a page that imports only an error would load every schema.
import { isErrorCode } from '@service/contract/errors';
import { CLIENT_ERROR_CODES, type ServiceErrorCode, type ServiceErrorContext } from './error-codes.ts';

/**
 * What a ServiceError is made of (SPEC.md section 7).
 *
 * @inline
 */
export interface ServiceErrorOptions<C extends ServiceErrorCode> {
  /** What happened and what to do about it. */
  readonly message: string;
  /** What the code carries. */
  readonly context: ServiceErrorContext<C>;
  /** Whether the same call can succeed later without a change. @default by code */
  readonly retryable?: boolean | undefined;
  /** HTTP status, when the service answered. */
  readonly status?: number | undefined;
  /** Request id of the answer, for the operator of the service. */
  readonly requestId?: string | undefined;
  /** What was thrown before. */
  readonly cause?: unknown;
}

const RETRYABLE: ReadonlySet<ServiceErrorCode> = new Set<ServiceErrorCode>([
  'RATE_LIMITED',
  'INDEX_STALE',
  'UNAVAILABLE',
  'PROTOCOL_PAUSED',
  'SIGNED_OPERATION_PENDING',
  'TIMEOUT',
  'NETWORK_ERROR',
  'RPC_ERROR',
  'RECORD_MISMATCH',
]);

/**
 * The one error of the SDK (SPEC.md section 7).
 *
 * Branch on `code`, with {@link isServiceError}; messages are for people. Neither message nor context ever holds a
 * cookie, a signature or a witness.
 */
export class ServiceError<C extends ServiceErrorCode = ServiceErrorCode> extends Error {
  /** `'ServiceError'`, by which {@link isServiceError} goes. */
  override readonly name = 'ServiceError';
  /** A code of SPEC.md section 7 or one of the client's own. */
  readonly code: C;
  /** What the code carries, by {@link ServiceErrorContexts}. */
  readonly context: ServiceErrorContext<C>;
  /** Whether the same call can succeed later without a change. OUTCOME_UNKNOWN never is: ask for the operation instead. */
  readonly retryable: boolean;
  /** HTTP status, when the service answered. */
  readonly status: number | undefined;
  /** Request id of the answer, for the operator of the service. */
  readonly requestId: string | undefined;

  /** An error of a code. `retryable` follows from the code unless it is given. */
  constructor(code: C, options: ServiceErrorOptions<C>) {
    super(options.message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.context = options.context;
    this.retryable = options.retryable ?? RETRYABLE.has(code);
    this.status = options.status;
    this.requestId = options.requestId;
  }
}

/** A ServiceError of one of the codes: where `code` is compared, `context` is that of the code (SPEC.md section 7). */
export type ServiceErrorOf<C extends ServiceErrorCode> = C extends ServiceErrorCode ? ServiceError<C> : never;

/**
 * Whether something that was thrown is a {@link ServiceError}, of the given code if one is given; narrows `context`,
 * as a comparison of `code` then does, too. Goes by name, so that two copies of this package agree (SPEC.md section 7).
 *
 * @example
 * try {
 *   await client.prove(wallet, request);
 * } catch (error) {
 *   if (isServiceError(error, 'NOT_ELIGIBLE')) console.log(error.context.clauses);
 *   else throw error;
 * }
 */
export function isServiceError<C extends ServiceErrorCode = ServiceErrorCode>(
  error: unknown,
  code?: C,
): error is ServiceErrorOf<C> {
  if (!(error instanceof Error) || error.name !== 'ServiceError' || !('code' in error)) return false;
  return code === undefined ? isServiceErrorCode(error.code) : error.code === code;
}

/** Whether a value is a code that this version of the SDK knows. */
function isServiceErrorCode(code: unknown): code is ServiceErrorCode {
  return (
    typeof code === 'string' &&
    (isErrorCode(code) || (CLIENT_ERROR_CODES as readonly string[]).includes(code))
  );
}
