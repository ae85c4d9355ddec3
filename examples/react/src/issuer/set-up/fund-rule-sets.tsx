import type { RuleSet } from '@service/sdk';
import { useState } from 'react';
import { FundForm } from '../../funds/fund-form.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { RuleSetField } from '../pass-powers/rule-set-field.tsx';

interface FundRuleSetsProps {
  readonly account: ChosenAccount;
  readonly ruleSets: readonly RuleSet[];
  /** Those whose funds are too low for the next proof. */
  readonly unfunded: readonly RuleSet[];
}

/** Funds the rule set that the person chooses. By default, this is one that needs funds. */
export function FundRuleSets({ account, ruleSets, unfunded }: FundRuleSetsProps) {
  const [chosen, setChosen] = useState<RuleSet['address']>();
  const ruleSet = ruleSets.find(({ address }) => address === chosen) ?? unfunded[0] ?? ruleSets[0];
  if (!ruleSet) return <p className="hint">Create a rule set first.</p>;
  const { address, name } = ruleSet;
  return (
    <>
      <p className="hint">
        Each proof takes the pass fee from the funds of its rule set. You pay, so that holders do not.
      </p>
      <RuleSetField ruleSets={ruleSets} value={address} onChange={setChosen} />
      <FundForm key={address} rule={address} name={name} account={account} isPrimary />
    </>
  );
}
