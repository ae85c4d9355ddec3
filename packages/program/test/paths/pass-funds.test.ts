/** No holder takes more of the pass funds than one fee for each half of the longest pass life. */
import { expect, it } from 'vitest';
import { NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { PASS_FEE } from '../support/governance.ts';
import { closePass, eligibleChain, prove } from '../support/passes.ts';
import { passFundsOf, RULE } from '../support/rule-sets.ts';

const chain = chainPerTest(eligibleChain);

it('a pass of one second, closed after it has expired, does not drain the pass funds', async () => {
  await chain.confirm(prove({ expiresAt: NOW + 1n }));
  chain.setTime(NOW + 1n);
  await chain.send(closePass());
  await chain.reject('PASS_RENEWAL_TOO_EARLY', prove({ expiresAt: NOW + 2n }));
  expect(passFundsOf(chain, RULE)).toBe(9n * PASS_FEE);
});
