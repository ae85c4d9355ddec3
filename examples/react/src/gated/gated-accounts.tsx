import type { Address as AddressText } from '@solana/kit';
import { ErrorNotice } from '../errors/error-notice.tsx';
import type { ChosenAccount } from '../wallet/chosen-wallet.tsx';
import { GatedAccountRow } from './gated-account-row.tsx';
import { useGatedAccounts } from './use-gated-accounts.ts';

interface GatedAccountsProps {
  readonly mint: AddressText;
  /** Pays for what it does to accounts of others. */
  readonly account: ChosenAccount;
  /** Whether the issuer lets anybody freeze accounts without a live pass. */
  readonly anyoneFreezes: boolean;
}

/** The token accounts of a gated mint. */
export function GatedAccounts({ mint, account, anyoneFreezes }: GatedAccountsProps) {
  const { data: accounts, error, refetch } = useGatedAccounts(mint);
  if (error) return <ErrorNotice error={error} onRetry={() => refetch()} />;
  if (!accounts) return <p role="status">Reading the token accounts…</p>;
  if (accounts.length === 0) return <p className="empty">This token has no accounts yet.</p>;
  return (
    <ul className="plain-list stack-small" aria-label="Token accounts">
      {accounts.map((each) => (
        <li key={each.tokenAccount}>
          <GatedAccountRow mint={mint} gated={each} account={account} anyoneFreezes={anyoneFreezes} />
        </li>
      ))}
    </ul>
  );
}
