import { createTokenAccount } from '@service/sdk/chain';
import { serviceQueryKeys } from '@service/sdk/query';
import { useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { WALLET_ADDITIONS } from '#demo/wallet/additions.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { useConfirmed } from '../../site/use-confirmed.ts';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';

interface CreateTokenAccountProps {
  readonly account: ChosenAccount;
  readonly mint: Address;
  /** The wallet whose token account it is. The signing wallet pays the rent. */
  readonly owner: Address;
  /** The text of the button. */
  readonly children: string;
}

export function CreateTokenAccount({ account, mint, owner, children }: CreateTokenAccountProps) {
  const client = useServiceClient();
  const queryClient = useQueryClient();
  const { confirmed, onConfirmed, onMutate } = useConfirmed();
  const create = useMutation({
    onMutate,
    mutationKey: ['createTokenAccount', mint, owner],
    mutationFn: () =>
      createTokenAccount(account.wallet, {
        deployment: client.deployment,
        ...WALLET_ADDITIONS,
        mint,
        owner,
        onConfirmed,
      }),
    onSuccess: () =>
      Promise.all(
        [['tokenBalances', owner], serviceQueryKeys(client).transferCheck(account.address)].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
  return (
    <div className="stack-small">
      <ActionButton
        className="button-secondary"
        busy={create.isPending}
        busyText="Creating…"
        onClick={() => create.mutate()}
      >
        {children}
      </ActionButton>
      <WriteStatus isPending={create.isPending} confirmed={confirmed} />
      {create.error && <ErrorNotice error={create.error} account={account} />}
    </div>
  );
}
