import { createTokenAccount } from '@service/sdk/chain';
import { useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useMutation } from '@tanstack/react-query';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';

interface CreateRecipientAccountProps {
  readonly account: ChosenAccount;
  readonly mint: Address;
  readonly owner: Address;
  readonly onCreated: () => void;
}

/** Creates the token account of somebody else. The signing wallet pays its rent. */
export function CreateRecipientAccount({ account, mint, owner, onCreated }: CreateRecipientAccountProps) {
  const { deployment } = useServiceClient();
  const create = useMutation({
    mutationKey: ['createTokenAccount', mint, owner],
    mutationFn: () => createTokenAccount(account.wallet, { deployment, mint, owner }),
    onSuccess: onCreated,
  });
  return (
    <div className="stack-small">
      <ActionButton
        className="button-secondary"
        busy={create.isPending}
        busyText="Creating…"
        onClick={() => create.mutate()}
      >
        Create the recipient’s token account
      </ActionButton>
      {create.error && <ErrorNotice error={create.error} account={account} />}
    </div>
  );
}
