import { expect, it } from 'vitest';
import { RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING } from './generated/errors';
import { decodeTransactionError, programErrorMessage } from './program-error.ts';

it.each([
  ['TRANSFER', RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING, 'DESTINATION_PASS_MISSING'],
  ['PROVE', 6_044, 'PROOF_INVALID'],
  ['TRANSFER', 1, 'INSUFFICIENT_FUNDS'],
  ['ISSUE', 17, 'ACCOUNT_FROZEN'],
  ['CREATE_RULE_SET', 1, 'RESULT_WITH_NEGATIVE_LAMPORTS'],
  ['CREDENTIAL', 1, 'RESULT_WITH_NEGATIVE_LAMPORTS'],
  ['PROVE', 999, 'CUSTOM_999'],
] as const)('names of %s code %i %s', (action, code, name) => {
  const failure = decodeTransactionError(action, { InstructionError: [1, { Custom: code }] });

  expect(failure).toEqual({ cause: 'Custom', instruction: 1, programError: { code, name } });
  expect(programErrorMessage(action, failure.programError!)).toMatch(/^[A-Z]/);
});

it.each([
  ['a name', 'BlockhashNotFound', { cause: 'BlockhashNotFound' }],
  [
    'an object with one key',
    { InsufficientFundsForRent: { account_index: 0 } },
    { cause: 'InsufficientFundsForRent' },
  ],
  ['bigints', { InstructionError: [1n, 'MissingAccount'] }, { cause: 'MissingAccount', instruction: 1 }],
  ['an instruction error without a pair', { InstructionError: null }, { cause: 'InstructionError' }],
  ['nothing', null, { cause: 'unknown' }],
])('decodes %s', (_form, error, failure) => {
  expect(decodeTransactionError('PROVE', error)).toEqual(failure);
});
