import { ERROR_CODES } from '@service/contract';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { CLIENT_ERROR_CODES } from './error-codes.ts';
import { isServiceError, ServiceError } from './errors.ts';

const error = new ServiceError('NOT_ELIGIBLE', {
  message: 'no clause holds',
  context: { clauses: [{ clause: 0, unmet: ['age'] }] },
});

describe('isServiceError', () => {
  it('narrows the context by the code', () => {
    const thrown: unknown = error;
    if (!isServiceError(thrown, 'NOT_ELIGIBLE')) throw new Error('not recognized');
    expectTypeOf(thrown.context.clauses[0]!.unmet).toEqualTypeOf<readonly ('region' | 'status' | 'age')[]>();
    expect(thrown.context.clauses[0]!.unmet).toEqual(['age']);
    expect(isServiceError(thrown, 'PREPARED_MISMATCH')).toBe(false);
  });

  it('narrows the context after a comparison of the code', () => {
    const thrown: unknown = error;
    if (!isServiceError(thrown)) throw new Error('not recognized');
    switch (thrown.code) {
      case 'NOT_ELIGIBLE':
        expectTypeOf(thrown.context.clauses[0]!.clause).toEqualTypeOf<number>();
        expect(thrown.context.clauses).toHaveLength(1);
        break;
      case 'WALLET_MISMATCH':
        expectTypeOf(thrown.context.expected).toEqualTypeOf<string>();
        break;
      default:
        throw new Error(`another code: ${thrown.code}`);
    }
  });

  it('compares names, so that two copies of the package agree', () => {
    class Copy extends Error {
      override readonly name = 'ServiceError';
      readonly code = 'TIMEOUT';
    }
    expect(isServiceError(new Copy(), 'TIMEOUT')).toBe(true);
    expect(isServiceError(new Copy())).toBe(true);
  });

  const others = [new Error('TIMEOUT'), { name: 'ServiceError', code: 'TIMEOUT' }, null, 'TIMEOUT'];

  it.each(others)('is false for %s', (other) => expect(isServiceError(other)).toBe(false));
});

describe('the codes', () => {
  it('of the client differ from those of the service', () => {
    expect(CLIENT_ERROR_CODES.filter((code) => code in ERROR_CODES)).toEqual([]);
    expect(new Set(CLIENT_ERROR_CODES).size).toBe(CLIENT_ERROR_CODES.length);
  });

  it('set retryable, which is false if signed bytes were sent', () => {
    const make = (code: 'RATE_LIMITED' | 'NOT_ISSUER') => new ServiceError(code, { message: '' });
    expect(make('RATE_LIMITED').retryable).toBe(true);
    expect(make('NOT_ISSUER').retryable).toBe(false);
    const unknown = new ServiceError('OUTCOME_UNKNOWN', { message: '', context: { operationId: 'x' } });
    expect(unknown.retryable).toBe(false);
  });
});
