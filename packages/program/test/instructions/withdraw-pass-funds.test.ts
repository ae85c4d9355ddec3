import { describe, expect, it } from 'vitest';
import { addressOf } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { issueCredential } from '../support/credentials.ts';
import { PASS_FEE } from '../support/governance.ts';
import { eligibleChain, prove } from '../support/passes.ts';
import { addRuleSet, CLAUSES, RULE, ruleSetOf, withdrawPassFunds } from '../support/rule-sets.ts';

const FUNDS = 2n * PASS_FEE;

const chain = chainPerTest(() => eligibleChain({ passFunds: FUNDS }));
const rule = RULE;

describe('withdraw-pass-funds', () => {
  it('moves pass funds to the recipient and does not change the rule set', async () => {
    const recipient = await addressOf('unrelated wallet');
    const before = { recipient: chain.lamports(recipient), rules: ruleSetOf(chain, rule) };

    const outcome = await chain.confirm(withdrawPassFunds({ lamports: PASS_FEE }));

    expect(outcome.changed).toEqual([rule]);
    expect(chain.aboveRent(rule)).toBe(FUNDS - PASS_FEE);
    expect(chain.lamports(recipient)).toBe(before.recipient + PASS_FEE);
    expect(ruleSetOf(chain, rule)).toEqual(before.rules);
  });

  it('leaves the rent for the size of the rule set', async () => {
    const clauses = Array(8).fill(CLAUSES[0]);
    const large = await addRuleSet(chain, { nonce: 2n, clauses, passFunds: 5n });
    await chain.reject('WITHDRAWAL_TOO_HIGH', withdrawPassFunds({ rule: large, lamports: 6n }));
    await chain.confirm(withdrawPassFunds({ rule: large, lamports: 5n }));
    expect(chain.aboveRent(large)).toBe(0n);
  });

  it('moves the rest after a prove, and then nothing can be proved', async () => {
    await chain.confirm(prove());
    // The fee is still with the rule set.
    await chain.reject('WITHDRAWAL_TOO_HIGH', withdrawPassFunds({ lamports: FUNDS }));
    await chain.reject('WITHDRAWAL_TOO_HIGH', withdrawPassFunds({ lamports: PASS_FEE + 1n }));
    await chain.confirm(withdrawPassFunds({ lamports: PASS_FEE }));

    await chain.confirm(issueCredential({ wallet: 'other holder' }));
    await chain.reject('PASS_FUNDS_TOO_LOW', prove({ wallet: 'other holder' }));
  });

  it('pays to the creator, and to another rule set', async () => {
    const other = await addRuleSet(chain, { creator: 'unrelated wallet' });
    const creator = await addressOf('issuer');
    const before = chain.lamports(creator);
    await chain.confirm(withdrawPassFunds({ recipient: other, lamports: 10n }));
    expect(chain.aboveRent(other)).toBe(10n);
    await chain.confirm(withdrawPassFunds({ recipient: creator, lamports: 10n }));
    expect(chain.lamports(creator)).toBe(before + 10n);
  });

  it('refuses governance, a holder and the creator of another rule set', async () => {
    await addRuleSet(chain, { creator: 'unrelated wallet', passFunds: FUNDS });
    for (const creator of ['governance', 'holder', 'unrelated wallet']) {
      await chain.reject('NOT_CREATOR', withdrawPassFunds({ creator, lamports: 1n }));
    }
  });
});
