import type { Address } from '@solana/kit';
import { expect, it } from 'vitest';
import { COMPUTE_BUDGET_PROGRAM } from './additions/compute-budget.ts';
import { LIGHTHOUSE_PROGRAM } from './additions/guard.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from './addresses.ts';
import { RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING } from './generated/errors';
import { DEVELOPMENT_PROGRAM as program } from './index.ts';
import { type Action, decodeTransactionError, programErrorMessage } from './program-error.ts';
import { TOKEN_ACL_PROGRAM } from './token-acl/mint-config.ts';

const of = (action: Action, ...programs: Address[]) => ({ action, program, programs });

it.each([
  ['TRANSFER', RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING, 'DESTINATION_PASS_MISSING'],
  ['PROVE', 6_044, 'PROOF_INVALID'],
  ['TRANSFER', 1, 'INSUFFICIENT_FUNDS'],
  ['ISSUE', 17, 'ACCOUNT_FROZEN'],
  ['TRANSFER', 67, 'MINT_PAUSED'],
  ['ISSUE', 67, 'MINT_PAUSED'],
  ['PROVE', 67, 'CUSTOM_67'],
  ['CREATE_RULE_SET', 1, 'RESULT_WITH_NEGATIVE_LAMPORTS'],
  ['CREDENTIAL', 1, 'RESULT_WITH_NEGATIVE_LAMPORTS'],
  ['PROVE', 999, 'CUSTOM_999'],
] as const)('names of %s code %i %s', (action, code, name) => {
  const failed = action === 'TRANSFER' ? TOKEN_2022_PROGRAM : program;
  const failure = decodeTransactionError(of(action, MEMO_PROGRAM, failed), {
    InstructionError: [1, { Custom: code }],
  });

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
  expect(decodeTransactionError(of('PROVE', MEMO_PROGRAM, program), error)).toEqual(failure);
});

it.each([
  ['a guard', LIGHTHOUSE_PROGRAM, 6_001, 'GUARD_FAILED'],
  ['one of several assertions of a guard', LIGHTHOUSE_PROGRAM, 6_400, 'GUARD_FAILED'],
  ['Token ACL itself', TOKEN_ACL_PROGRAM, 1, 'CUSTOM_1'],
  ['another program', COMPUTE_BUDGET_PROGRAM, 6_001, 'CUSTOM_6001'],
  ['a program that the message does not have', undefined, 1, 'CUSTOM_1'],
] as const)('names the error of %s by its program', (_program, failed, code, name) => {
  const failure = decodeTransactionError(of('ISSUE', ...(failed ? [failed] : [])), {
    InstructionError: [0, { Custom: code }],
  });

  expect(failure.programError).toEqual({ code, name });
  expect(programErrorMessage('ISSUE', failure.programError!)).toMatch(
    failed === LIGHTHOUSE_PROGRAM ? /guard/ : new RegExp(`error ${code}`),
  );
});

it.each([
  ['a gate, which Token ACL passes on', TOKEN_ACL_PROGRAM, 6_051, 'DESTINATION_PASS_MISSING'],
  ['Token-2022, called by the wallet', TOKEN_2022_PROGRAM, 17, 'ACCOUNT_FROZEN'],
  ['the system program', SYSTEM_PROGRAM, 1, 'RESULT_WITH_NEGATIVE_LAMPORTS'],
] as const)('names the error of %s', (_program, failed, code, name) => {
  const error = { InstructionError: [0, { Custom: code }] };
  expect(decodeTransactionError(of('BIND_MINT', failed), error).programError).toEqual({ code, name });
});
