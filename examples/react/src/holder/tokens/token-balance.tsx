import type { MintBinding } from '@service/sdk';
import { formatAmount } from '../../chain/amounts.ts';
import { useMint } from '../../chain/use-mint.ts';
import { useTokenBalance } from '../../chain/use-token-account.ts';
import { Address } from '../../site/address.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { CreateTokenAccount } from './create-token-account.tsx';

interface TokenBalanceProps {
  readonly binding: MintBinding;
  readonly ruleSet: string;
  readonly account: ChosenAccount;
}

export function TokenBalance({ binding: { mint }, ruleSet, account }: TokenBalanceProps) {
  const { data: balance } = useTokenBalance(mint, account.address);
  const { data: decimals } = useMint(mint);
  return (
    <div className="card card-flat row row-spread">
      <span className="amount">
        {balance === undefined || !decimals ? '…' : formatAmount(balance ?? 0n, decimals.decimals)}
      </span>
      <span>
        of <Address address={mint} label="mint" />
      </span>
      <span className="hint">recipients need a pass of {ruleSet}</span>
      {balance === null && (
        <CreateTokenAccount account={account} mint={mint} owner={account.address}>
          Create token account
        </CreateTokenAccount>
      )}
    </div>
  );
}
