import { thawByPass } from '@service/sdk/chain';
import { useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { WALLET_ADDITIONS } from '#demo/wallet/additions.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';

interface ThawButtonProps {
  readonly mint: Address;
  readonly account: ChosenAccount;
}

/** Creates and thaws the token account of the person, in one transaction. */
export function ThawButton({ mint, account }: ThawButtonProps) {
  const { deployment } = useServiceClient();
  const queryClient = useQueryClient();
  const thaw = useMutation({
    mutationKey: ['thawByPass', mint],
    mutationFn: () => thawByPass(account.wallet, { deployment, ...WALLET_ADDITIONS, mint }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['gatedAccounts', mint] }),
  });
  return (
    <div className="stack-small">
      <ActionButton
        className="button"
        busy={thaw.isPending}
        busyText="Thawing…"
        onClick={() => thaw.mutate()}
      >
        Thaw my account
      </ActionButton>
      <WriteStatus isPending={thaw.isPending}>
        {thaw.isSuccess && 'Your account is thawed. You can receive the token.'}
      </WriteStatus>
      {thaw.error && <ErrorNotice error={thaw.error} account={account} />}
    </div>
  );
}
