import { ServiceError } from '../errors.ts';

/** Returns the error of an argument that is not known yet. Not from the checks of arguments, which load every schema. */
export function missing(field: string, remedy: string): ServiceError<'INVALID_ARGUMENT'> {
  return new ServiceError('INVALID_ARGUMENT', {
    message: `${field} is missing. ${remedy}`,
    context: { field },
  });
}
