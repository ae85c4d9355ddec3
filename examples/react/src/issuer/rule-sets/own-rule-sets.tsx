import { usePassport } from '@service/sdk/react';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { BoundMints } from '../mint/bound-mints.tsx';
import { useOwnBindings } from '../mint/use-own-bindings.ts';
import { RuleSetCard } from './rule-set-card.tsx';

/** The rule sets that this wallet created, with their pass funds and live passes, and its tokens. */
export function OwnRuleSets({ account }: { readonly account: ChosenAccount }) {
  const { data: passport } = usePassport();
  const bindings = useOwnBindings(account.address) ?? [];
  const own = passport?.ruleSets.filter(({ creator }) => creator === account.address) ?? [];
  if (own.length === 0) return null;
  return (
    <section aria-labelledby="own-rule-sets" className="stack">
      <h2 id="own-rule-sets">Your rule sets and tokens</h2>
      <ul className="plain-list stack">
        {own.map((ruleSet) => (
          <li key={ruleSet.address}>
            <RuleSetCard ruleSet={ruleSet} />
          </li>
        ))}
      </ul>
      <BoundMints bindings={bindings} ruleSets={passport?.ruleSets ?? []} />
    </section>
  );
}
