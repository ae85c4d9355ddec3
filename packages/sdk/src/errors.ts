// Not from the index: a page that imports only an error would load every schema.
import { isErrorCode } from '@service/contract/errors';
import { CLIENT_ERROR_CODES, type ServiceErrorCode } from './error-codes.ts';
import type { ServiceErrorContext, ServiceErrorContexts } from './error-contexts.ts';

/** The parts of a ServiceError (SPEC.md section 7). */
export type ServiceErrorOptions<C extends ServiceErrorCode> = {
  /** What happened, then what to do. */
  readonly message: string;
  /** Whether the same call can succeed later, unchanged. @default by code */
  readonly retryable?: boolean | undefined;
  /** HTTP status, if the service answered. */
  readonly status?: number | undefined;
  /** Request id of the answer, for the operator of the service. */
  readonly requestId?: string | undefined;
  /** The error that caused this one. */
  readonly cause?: unknown;
} & ContextPart<C>;

/** The context, which may be left out for a code whose context is empty. */
export type ContextPart<C extends ServiceErrorCode> = C extends keyof ServiceErrorContexts
  ? {
      /** What the code adds to the message. */
      readonly context: ServiceErrorContext<C>;
    }
  : {
      /** What the code adds to the message. */
      readonly context?: ServiceErrorContext<C>;
    };

/** Codes after which the same call can succeed later, unchanged. A throw site that knows better passes `retryable`. */
const RETRYABLE: ReadonlySet<ServiceErrorCode> = new Set<ServiceErrorCode>([
  'RATE_LIMITED',
  'INDEX_STALE',
  'UNAVAILABLE',
  'PROTOCOL_PAUSED',
  'MINT_PAUSED',
  'SIGNED_OPERATION_PENDING',
  'TIMEOUT',
  'NETWORK_ERROR',
  'RPC_ERROR',
  'RECORD_MISMATCH',
]);

/**
 * The one error of the SDK (SPEC.md section 7).
 *
 * Compare `code` with {@link isServiceError}. Messages are for people. Neither message nor context ever contains a
 * cookie, a witness or a signature, except the signature by which a transaction is looked up on chain.
 */
export class ServiceError<C extends ServiceErrorCode = ServiceErrorCode> extends Error {
  /** `'ServiceError'`, which {@link isServiceError} checks. */
  override readonly name = 'ServiceError';
  /** A code of SPEC.md section 7 or one of the client's own. */
  readonly code: C;
  /** The context of the code: see {@link ServiceErrorContexts}. */
  readonly context: ServiceErrorContext<C>;
  /** Whether the same call can succeed later, unchanged. Never true for OUTCOME_UNKNOWN: wait for the operation instead. */
  readonly retryable: boolean;
  /** HTTP status, if the service answered. */
  readonly status: number | undefined;
  /** Request id of the answer, for the operator of the service. */
  readonly requestId: string | undefined;

  /** Creates an error. `retryable` follows from the code unless it is passed. */
  constructor(code: C, options: ServiceErrorOptions<C>) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.context = (options.context ?? {}) as ServiceErrorContext<C>;
    this.retryable = options.retryable ?? RETRYABLE.has(code);
    this.status = options.status;
    this.requestId = options.requestId;
  }
}

/** A ServiceError of one of the codes. Comparing `code` narrows `context` (SPEC.md section 7). */
export type ServiceErrorOf<C extends ServiceErrorCode> = C extends ServiceErrorCode ? ServiceError<C> : never;

/**
 * Returns whether an error is a {@link ServiceError}, and has the code if one is passed. Narrows `context`. Checks the
 * error's name, so that two copies of this package agree (SPEC.md section 7).
 *
 * @example
 * try {
 *   await client.prove(wallet, { rule, witness });
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

/** Returns whether a value is a code that this version of the SDK knows. */
function isServiceErrorCode(code: unknown): code is ServiceErrorCode {
  return (
    typeof code === 'string' &&
    (isErrorCode(code) || (CLIENT_ERROR_CODES as readonly string[]).includes(code))
  );
}
