/** The words of the page for errors: what happened and what to do, for a person who cannot call the SDK. */
import { ServiceError } from '@service/sdk';
import { expect, it } from 'vitest';
import { wordsOf } from '../../examples/react/src/errors/error-words.ts';

const operationId = '7f9c24e8-0000-4000-8000-000000000000';
/** As the SDK writes it, for developers. */
const message = `Wait again with client.waitForOperation('${operationId}').`;

it.each([
  new ServiceError('WALLET_REJECTED', { message: 'The wallet did not sign. Ask the person again.' }),
  new ServiceError('OUTCOME_UNKNOWN', { message, context: { operationId } }),
  new ServiceError('OPERATION_ALREADY_SIGNED', { message, context: { operationId } }),
  new ServiceError('SIGNED_OPERATION_PENDING', { message, context: { operationId } }),
  new ServiceError('OPERATION_FAILED', { message, context: { operationId, reason: 'NEVER_LANDED' } }),
  new ServiceError('OPERATION_FAILED', { message, context: { operationId, reason: 'ON_CHAIN_ERROR' } }),
  new ServiceError('WITNESS_INVALID', { message: 'Get verified again with client.startVerification.' }),
  ...(
    [
      'PLACE_NOT_IN_RULE_SET',
      'NO_PLACE_FREE',
      'PLACE_TAKEN',
      'PLACE_NOT_HELD',
      'PLACE_TAKEN_TOO_SOON',
      'PLACE_HELD_BY_SUSPENDED',
    ] as const
  ).map((code) => new ServiceError(code, { message: 'Pass replaces to client.prove.' })),
  new ServiceError('CREDENTIAL_REQUIRED', { message: 'Verify first with client.startVerification.' }),
])('speaks to the person about $code', (error) => {
  const words = wordsOf(error);
  expect(words).not.toMatch(/client|Ask the person|[0-9a-f]{8}-/);
  expect(words).toMatch(/\byour?\b/i);
});

it('uses the message of any other error', () => {
  for (const error of [new Error('no network'), new ServiceError('RATE_LIMITED', { message: 'Wait 5 s.' })]) {
    expect(wordsOf(error)).toBe(error.message);
  }
});
