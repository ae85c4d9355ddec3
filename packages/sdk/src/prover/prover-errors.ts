import { EligibilityError } from '@service/protocol/eligibility/errors';
import { ServiceError } from '../errors.ts';

/** The artifacts are not the pinned ones, or cannot be used here. */
export function artifactsInvalid(message: string, cause?: unknown): ServiceError {
  return new ServiceError('ARTIFACTS_INVALID', { message, context: {}, ...causedBy(cause) });
}

/** The proof could not be made, or does not verify. */
export function proverFailed(message: string, cause?: unknown): ServiceError {
  return new ServiceError('PROVER_FAILED', { message, context: {}, ...causedBy(cause) });
}

/** What the arithmetic refused, as the SDK's own error. NOT_ELIGIBLE does not come this way: it needs the clauses. */
export function fromEligibilityError(error: unknown): unknown {
  if (!(error instanceof EligibilityError)) return error;
  const { message } = error;
  if (error.code === 'WITNESS_INVALID') return new ServiceError('WITNESS_INVALID', { message, context: {} });
  if (error.code === 'CLAUSE_INVALID') {
    return new ServiceError('RECORD_MISMATCH', {
      message,
      context: { fields: ['clauses'] },
      retryable: false,
    });
  }
  return new ServiceError('INVALID_ARGUMENT', { message, context: { field: 'context' } });
}

function causedBy(cause: unknown): { cause?: unknown } {
  return cause === undefined ? {} : { cause };
}
