/** Turns a failure into a response: `{ error: { code, message, requestId } }` (SPEC.md section 7). */
import { ERROR_CODES } from '@service/contract';
import { logError } from '@service/process';
import { isUnavailable } from '../../lib/unavailable.ts';
import type { HttpApp, HttpContext } from '../routing/variables.ts';
import { ServiceFault } from './fault.ts';

/** Handles every error that a route throws. */
export function registerErrors(app: HttpApp): void {
  app.onError((error, context) => answer(context, declaredFault(context, faultOf(context, error))));
}

function faultOf(context: HttpContext, error: unknown): ServiceFault {
  if (error instanceof ServiceFault) return error;
  const log = context.get('log');
  if (isUnavailable(error)) {
    // A visitor who disconnects aborts the request. That is not a failure.
    if (context.req.raw.signal.aborted) log.info('the visitor disconnected');
    else logError(log, error, 'the chain or the database cannot be reached', { stack: false });
    return new ServiceFault('UNAVAILABLE', undefined, { retryAfterSeconds: 1 });
  }
  logError(log, error, 'unexpected error');
  return new ServiceFault('INTERNAL');
}

/** Replaces a code that the route does not declare with INTERNAL, because it is a defect. */
function declaredFault(context: HttpContext, fault: ServiceFault): ServiceFault {
  if (context.get('codes')?.includes(fault.code)) return fault;
  logError(context.get('log'), fault, `the route does not declare ${fault.code}; sent INTERNAL`);
  return new ServiceFault('INTERNAL');
}

function answer(context: HttpContext, fault: ServiceFault): Response {
  if (fault.retryAfterSeconds !== undefined) context.header('Retry-After', String(fault.retryAfterSeconds));
  const { code, message, body } = fault;
  context.set('code', code);
  return context.json(
    { ...body, error: { code, message, requestId: context.get('requestId') } },
    ERROR_CODES[code].status,
  );
}
