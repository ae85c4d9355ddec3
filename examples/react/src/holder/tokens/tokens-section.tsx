import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { PassportState } from '../../wallet/passport-state.tsx';
import { TokenBalance } from './token-balance.tsx';
import { TransferForm } from './transfer-form.tsx';
import { useBoundTokens } from './use-bound-tokens.ts';

/** The bound tokens that this wallet holds, and those of the creators of its rule sets. */
export function TokensSection({ account }: { readonly account: ChosenAccount }) {
  const tokens = useBoundTokens(account.address);
  return (
    <section aria-labelledby="tokens" className="stack">
      <h2 id="tokens">Your tokens</h2>
      <PassportState />
      {tokens?.length === 0 && (
        <p className="empty">
          You hold no token yet. When you have proved a rule set, the tokens of its creator appear here.
        </p>
      )}
      <ul className="plain-list stack-small">
        {tokens?.map((token) => (
          <li key={token.binding.mint}>
            <TokenBalance token={token} account={account} />
          </li>
        ))}
      </ul>
      {tokens && tokens.length > 0 && (
        <TransferForm account={account} bindings={tokens.map(({ binding }) => binding)} />
      )}
    </section>
  );
}
