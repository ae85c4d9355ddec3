import { describe, expect, it } from 'vitest';
import { addressOf } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  acceptAuthority,
  nominateAuthority,
  PASS_FEE,
  TREASURY,
  treasuryOf,
  withdrawFees,
} from '../support/governance.ts';
import { eligibleChain, prove } from '../support/passes.ts';
import { collectFees, RULE } from '../support/rule-sets.ts';

const chain = chainPerTest(async () => {
  const ready = await eligibleChain();
  await ready.confirm(prove());
  await ready.confirm(collectFees());
  return ready;
});

describe('withdraw-fees', () => {
  it('moves the collected fees, and does not lower the count of fees', async () => {
    const [treasury, recipient] = [TREASURY, await addressOf('unrelated wallet')];
    const before = { treasury: chain.lamports(treasury), recipient: chain.lamports(recipient) };

    const outcome = await chain.confirm(withdrawFees({ lamports: PASS_FEE }));

    expect(outcome.changed).toEqual([treasury]);
    expect(chain.lamports(treasury)).toBe(before.treasury - PASS_FEE);
    expect(chain.aboveRent(treasury)).toBe(0n);
    expect(chain.lamports(recipient)).toBe(before.recipient + PASS_FEE);
    expect(treasuryOf(chain).feesCollected).toBe(PASS_FEE);
  });

  it('moves at most the fees, also in parts', async () => {
    await chain.confirm(withdrawFees({ lamports: PASS_FEE - 1n }));
    await chain.reject('WITHDRAWAL_TOO_HIGH', withdrawFees({ lamports: 2n }));
    await chain.confirm(withdrawFees({ lamports: 1n }));
    await chain.reject('WITHDRAWAL_TOO_HIGH', withdrawFees({ lamports: 1n }));
  });

  it('moves lamports that anyone sent to the treasury', async () => {
    chain.fund(TREASURY, 7n);
    await chain.confirm(withdrawFees({ lamports: PASS_FEE + 7n }));
  });

  it('pays to the authority, to a rule set as its pass funds, and to an account that does not exist', async () => {
    const rule = RULE;
    const before = chain.aboveRent(rule);
    await chain.confirm(withdrawFees({ recipient: rule, lamports: 1_000n }));
    expect(chain.aboveRent(rule)).toBe(before + 1_000n);

    const rent = chain.rentOf(0);
    for (const name of ['governance', 'nobody yet']) {
      const recipient = await addressOf(name);
      await chain.confirm(withdrawFees({ recipient, lamports: rent }));
      expect(chain.lamports(recipient)).toBe(rent);
    }
  });

  it('relies on the runtime to refuse a recipient below its rent', async () => {
    const recipient = await addressOf('nobody yet');
    const poor = withdrawFees({ recipient, lamports: chain.rentOf(0) - 1n });
    await chain.reject(/InsufficientFundsForRent/, poor);
  });

  it('refuses the upgrade authority and the previous governance authority', async () => {
    await chain.confirm(nominateAuthority());
    await chain.confirm(acceptAuthority());
    for (const authority of ['governance', 'upgrade authority', 'issuer']) {
      await chain.reject('NOT_AUTHORITY', withdrawFees({ authority, lamports: 1n }));
    }
    await chain.confirm(withdrawFees({ authority: 'next governance', lamports: 1n }));
  });
});
