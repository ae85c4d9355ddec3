import { usePassport } from '@service/sdk/react';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { PassportState } from '../../wallet/passport-state.tsx';
import { TokenBalance } from './token-balance.tsx';
import { TransferForm } from './transfer-form.tsx';

/** The tokens of the mints that are bound to rule sets which this wallet has to do with. */
export function TokensSection({ account }: { readonly account: ChosenAccount }) {
  const { data: passport } = usePassport({ refetchInterval: 10_000 });
  const bindings = passport?.bindings ?? [];
  return (
    <section aria-labelledby="tokens" className="stack">
      <h2 id="tokens">Your tokens</h2>
      <PassportState />
      {passport?.bindings.length === 0 && (
        <p className="empty">
          No mint is bound to your rule sets yet. Prove a rule set first. An issuer can then issue tokens to
          you.
        </p>
      )}
      <ul className="plain-list stack-small">
        {bindings.map((binding) => (
          <li key={binding.mint}>
            <TokenBalance
              binding={binding}
              ruleSet={
                passport?.ruleSets.find(({ address }) => address === binding.rule)?.name ?? 'a rule set'
              }
              account={account}
            />
          </li>
        ))}
      </ul>
      {bindings.length > 0 && <TransferForm account={account} bindings={bindings} />}
    </section>
  );
}
