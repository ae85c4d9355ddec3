import { usePassport } from '@service/sdk/react';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { RuleSetCard } from './rule-set-card.tsx';

/** The index of the service can lag behind a write. Polling here refreshes each section of the page. */
const POLL_MS = 10_000;

/** The rule sets that this wallet created, with their pass funds and live passes. */
export function OwnRuleSets({ account }: { readonly account: ChosenAccount }) {
  const { data: passport, error, refetch } = usePassport({ refetchInterval: POLL_MS });
  const own = passport?.ruleSets.filter(({ creator }) => creator === account.address);
  return (
    <section aria-labelledby="own-rule-sets" className="stack">
      <h2 id="own-rule-sets">Your rule sets</h2>
      {error && <ErrorNotice error={error} onRetry={() => refetch()} />}
      {!passport && !error && <p role="status">Loading your rule sets…</p>}
      {own?.length === 0 && <p className="empty">You have no rule set yet. Create your first one below.</p>}
      <ul className="plain-list stack">
        {own?.map((ruleSet) => (
          <li key={ruleSet.address}>
            <RuleSetCard ruleSet={ruleSet} account={account} />
          </li>
        ))}
      </ul>
    </section>
  );
}
