import type { ServiceErrorCode } from '@service/sdk';
import { expect } from 'vitest';

/** Checks that a call rejects with a ServiceError of this code, and with these other members. */
export function expectRefusal(
  call: Promise<unknown>,
  code: ServiceErrorCode,
  more: object = {},
): Promise<void> {
  return expect(call).rejects.toMatchObject({ name: 'ServiceError', code, ...more });
}
