import type { MintBinding } from '@service/sdk';
import { createTokenAccount } from '@service/sdk/chain';
import { useServiceClient } from '@service/sdk/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatAmount } from '../../chain/amounts.ts';
import { useMint } from '../../chain/use-mint.ts';
import { useTokenBalance } from '../../chain/use-token-account.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { Address } from '../../site/address.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';

interface TokenBalanceProps {
  readonly binding: MintBinding;
  readonly ruleSet: string;
  readonly account: ChosenAccount;
}

export function TokenBalance({ binding: { mint }, ruleSet, account }: TokenBalanceProps) {
  const { deployment } = useServiceClient();
  const queryClient = useQueryClient();
  const { data: balance } = useTokenBalance(mint, account.address);
  const { data: decimals } = useMint(mint);
  const create = useMutation({
    mutationKey: ['createTokenAccount', mint],
    mutationFn: () => createTokenAccount(account.wallet, { deployment, mint }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['tokenBalance', mint] }),
  });
  return (
    <div className="card card-flat row row-spread">
      <span className="amount">
        {balance === undefined || !decimals ? '…' : formatAmount(balance ?? 0n, decimals.decimals)}
      </span>
      <span>
        of <Address address={mint} label="mint" />
      </span>
      <span className="hint">for holders of {ruleSet}</span>
      {balance === null && (
        <ActionButton
          className="button-small"
          busy={create.isPending}
          busyText="Creating…"
          onClick={() => create.mutate()}
        >
          Create token account
        </ActionButton>
      )}
      {create.error && <ErrorNotice error={create.error} account={account} />}
    </div>
  );
}
