import { expect } from 'vitest';
import type { ServiceErrorCode } from '../../src/error-codes.ts';

/** Matches a ServiceError that has this code and exactly these other properties, such as its whole context. */
export const serviceError = (code: ServiceErrorCode, properties: object = {}) =>
  expect.objectContaining({ name: 'ServiceError', code, ...properties });
