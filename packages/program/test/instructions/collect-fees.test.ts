import { describe, expect, it } from 'vitest';
import { chainPerTest } from '../support/chain-per-test.ts';
import { PASS_FEE, pause, TREASURY, treasuryOf } from '../support/governance.ts';
import { eligibleChain, prove } from '../support/passes.ts';
import { addRuleSet, collectFees, passFundsOf, RULE, ruleSetOf } from '../support/rule-sets.ts';

const chain = chainPerTest(async () => {
  const ready = await eligibleChain({ wallets: ['holder', 'other holder'] });
  for (const wallet of ['holder', 'other holder']) await ready.confirm(prove({ wallet }));
  return ready;
});

describe('collect-fees', () => {
  it('moves the fees of all proofs to the treasury, counts them, and leaves the pass funds', async () => {
    const before = { treasury: chain.aboveRent(TREASURY), funds: passFundsOf(chain, RULE) };

    const outcome = await chain.confirm(collectFees());

    expect([...outcome.changed].sort()).toEqual([RULE, TREASURY].sort());
    expect(chain.aboveRent(TREASURY) - before.treasury).toBe(2n * PASS_FEE);
    expect(treasuryOf(chain).feesCollected).toBe(2n * PASS_FEE);
    expect(ruleSetOf(chain, RULE).fees).toBe(0n);
    expect(passFundsOf(chain, RULE)).toBe(before.funds);
  });

  it('adds to what was collected before', async () => {
    await chain.confirm(collectFees());
    const other = await addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE });
    await chain.confirm(prove({ rule: other }));
    await chain.confirm(collectFees({ rule: other }));
    expect(treasuryOf(chain).feesCollected).toBe(3n * PASS_FEE);
    expect(chain.aboveRent(TREASURY)).toBe(3n * PASS_FEE);
  });

  it('does nothing when there are none, and never moves pass funds', async () => {
    await chain.confirm(collectFees());
    chain.fund(RULE, PASS_FEE);
    expect((await chain.confirm(collectFees())).changed).toEqual([]);
    // One of several in a transaction does not end the others.
    const other = await addRuleSet(chain, { nonce: 2n, passFunds: PASS_FEE });
    await chain.confirm(prove({ rule: other }));
    await chain.confirm(collectFees(), collectFees({ rule: other }));
    expect(treasuryOf(chain).feesCollected).toBe(3n * PASS_FEE);
  });

  it('works while the protocol is paused', async () => {
    await chain.confirm(pause());
    await chain.confirm(collectFees());
  });
});
