import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { PassportState } from '../../wallet/passport-state.tsx';
import { useOwnBindings } from '../mint/use-own-bindings.ts';
import { IssueForm } from './issue-form.tsx';

export function IssueSection({ account }: { readonly account: ChosenAccount }) {
  const bindings = useOwnBindings(account.address);
  return (
    <section aria-labelledby="issue" className="stack">
      <h2 id="issue">Issue tokens</h2>
      <PassportState />
      {bindings?.length === 0 && (
        <p className="empty">You have no bound mint yet. Create a mint and bind it above.</p>
      )}
      {bindings && bindings.length > 0 && <IssueForm account={account} bindings={bindings} />}
    </section>
  );
}
