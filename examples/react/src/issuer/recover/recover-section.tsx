import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { useOwnBindings } from '../mint/use-own-bindings.ts';
import { RecoverForm } from './recover-form.tsx';

/** Moves tokens of a holder who lost a key to a new wallet of the same person. */
export function RecoverSection({ account }: { readonly account: ChosenAccount }) {
  const bindings = useOwnBindings(account.address) ?? [];
  if (bindings.length === 0) return null;
  return (
    <section aria-labelledby="recover" className="stack">
      <h2 id="recover">Recover tokens</h2>
      <RecoverForm account={account} bindings={bindings} />
    </section>
  );
}
