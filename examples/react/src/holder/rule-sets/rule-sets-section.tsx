import { useRuleSets } from '@service/sdk/react';
import { useId, useState } from 'react';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { RuleSetRow } from './rule-set-row.tsx';

/** Each row reads the chain, so the page shows only some at once. The search finds the others. */
const MOST_SHOWN = 8;

export function RuleSetsSection({ account }: { readonly account: ChosenAccount }) {
  const [search, setSearch] = useState('');
  const { data: ruleSets, error, refetch } = useRuleSets({ refetchInterval: 10_000 });
  const id = useId();
  const wanted = search.trim().toLowerCase();
  const found = ruleSets?.filter(
    ({ name, address }) => name.toLowerCase().includes(wanted) || address === search.trim(),
  );
  return (
    <section aria-labelledby="rule-sets" className="stack">
      <h2 id="rule-sets">Rule sets</h2>
      {error && <ErrorNotice error={error} onRetry={() => refetch()} />}
      {!ruleSets && !error && <p role="status">Loading the rule sets…</p>}
      {ruleSets?.length === 0 && (
        <p className="empty">
          There is no rule set yet. Create one at the issuer desk, with another account.
        </p>
      )}
      {ruleSets && ruleSets.length > 1 && (
        <div className="field">
          <label htmlFor={id}>Search by name or address</label>
          <input id={id} type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
        </div>
      )}
      {wanted && found?.length === 0 && <p className="empty">No rule set has this name or address.</p>}
      <ul className="plain-list stack">
        {found?.slice(0, MOST_SHOWN).map((ruleSet) => (
          <li key={ruleSet.address}>
            <RuleSetRow ruleSet={ruleSet} account={account} />
          </li>
        ))}
      </ul>
      {found && found.length > MOST_SHOWN && (
        <p className="hint">
          {MOST_SHOWN} of {found.length} rule sets. Search for the others.
        </p>
      )}
    </section>
  );
}
