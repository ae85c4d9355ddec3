/** What the page says about a limit of the wallets of a person. */
import type { ProofCheckReason } from '@service/sdk';
import { address } from '@solana/kit';
import { expect, it } from 'vitest';
import { wordsOfEndedPassReason, wordsOfProofReason } from '../../examples/react/src/checks/proof-reasons.ts';
import { mostClausesWith, problemOfClauses } from '../../examples/react/src/issuer/rule-sets/limit.ts';

const verifier = address('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi');
const NO_LIMIT = { verifier, walletsPerPerson: 0 };
const LIMIT = { verifier, walletsPerPerson: 2 };

it('allows six clauses with a limit, and eight without one', () => {
  expect([mostClausesWith(LIMIT), mostClausesWith(NO_LIMIT)]).toEqual([6, 8]);
  for (const [count, limit] of [
    [6, LIMIT],
    [8, NO_LIMIT],
  ] as const)
    expect(problemOfClauses(count, limit)).toBe(null);
  expect(problemOfClauses(7, LIMIT)).toMatch(/has at most six clauses\. Remove some, or the limit\.$/);
});

const NONE_FREE = { code: 'NO_PLACE_FREE', who: 'holder' } as const;

it('says of an ended pass that another wallet took its place', () => {
  expect(wordsOfEndedPassReason(NONE_FREE)).toEqual({
    who: 'You',
    text: 'Another wallet of yours took the place of this one. Choose under “Rule sets” which wallet this one replaces.',
  });
  expect(wordsOfProofReason(NONE_FREE).text).toMatch(/^Other wallets of yours hold all places here\. Choose/);
  const unfunded = { code: 'PASS_FEE_UNFUNDED', who: 'issuer', missingLamports: 1n } as const;
  expect(wordsOfEndedPassReason(unfunded)).toEqual(wordsOfProofReason(unfunded));
});

it.each([
  [{ code: 'PLACE_NOT_HELD', who: 'holder' }, 'You', /does not count here/],
  [{ code: 'PLACE_TAKEN_TOO_SOON', who: 'holder' }, 'You', /less than an hour ago/],
  [{ code: 'PLACE_NOT_IN_RULE_SET', who: 'holder' }, 'You', /does not limit your wallets/],
  [{ code: 'PLACE_HELD_BY_SUSPENDED', who: 'issuer' }, 'The issuer', /suspended the wallet to replace/],
] as const)('says why a wallet cannot be replaced: $code', (reason, who, text) => {
  const words = wordsOfProofReason(reason satisfies ProofCheckReason);
  expect([words.who, words.text]).toEqual([who, expect.stringMatching(text)]);
});
