// These exports need no schema.
export { isServiceError, ServiceError } from '../errors.ts';
