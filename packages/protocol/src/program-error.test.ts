import { expect, it } from 'vitest';
import { RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING } from './generated/errors';
import { programErrorOf } from './program-error.ts';

it.each([
  ['TRANSFER', RULE_SET_PASS_ERROR__DESTINATION_PASS_MISSING, 'DESTINATION_PASS_MISSING'],
  ['PROVE', 6_044, 'PROOF_INVALID'],
  ['TRANSFER', 1, 'INSUFFICIENT_FUNDS'],
  ['ISSUE', 17, 'ACCOUNT_FROZEN'],
  ['CREATE_RULE_SET', 1, 'RESULT_WITH_NEGATIVE_LAMPORTS'],
  ['PROVE', 999, 'CUSTOM_999'],
] as const)('of %s, code %i is %s', (kind, code, name) => {
  expect(programErrorOf(kind, code)).toMatchObject({ code, name, message: expect.stringMatching(/^[A-Z]/) });
});
