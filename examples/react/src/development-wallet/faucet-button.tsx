import { serviceQueryKeys } from '@service/sdk/query';
import { useServiceClient } from '@service/sdk/react';
import { address } from '@solana/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ActionButton } from '../site/action-button.tsx';
import { developmentWalletOf } from './development-wallet.ts';

const ONE_SOL = 1_000_000_000n;

interface FaucetButtonProps {
  readonly account: string;
  /** The name of the account, for people who cannot see where the button is. */
  readonly name: string;
}

/** Requests SOL from the faucet of the development cluster. Only accounts of the development wallet have this button. */
export function FaucetButton({ account, name }: FaucetButtonProps) {
  const client = useServiceClient();
  const queryClient = useQueryClient();
  const wallet = developmentWalletOf(account);
  const request = useMutation({
    mutationFn: () => wallet!.requestAirdrop(account, ONE_SOL),
    // The checks of this wallet said that it lacks SOL.
    onSuccess: () =>
      Promise.all(
        [['balance', account], serviceQueryKeys(client).wallet(address(account))].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
  if (!wallet) return null;
  return (
    <>
      <ActionButton
        className="button-small"
        busy={request.isPending}
        busyText="On its way…"
        onClick={() => request.mutate()}
      >
        Get 1 SOL<span className="visually-hidden"> for {name}</span>
      </ActionButton>
      {request.error && (
        <span role="alert" className="problem">
          {request.error.message}
        </span>
      )}
    </>
  );
}
