import { useMutation, useQueryClient } from '@tanstack/react-query';
import { developmentWalletOf } from './development-wallet.ts';

const ONE_SOL = 1_000_000_000n;

interface FaucetButtonProps {
  readonly account: string;
  /** The name of the account, for people who cannot see where the button is. */
  readonly name: string;
}

/** Requests SOL from the faucet of the development cluster. Only accounts of the development wallet have this button. */
export function FaucetButton({ account, name }: FaucetButtonProps) {
  const queryClient = useQueryClient();
  const wallet = developmentWalletOf(account);
  const request = useMutation({
    mutationFn: () => wallet!.requestAirdrop(account, ONE_SOL),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['balance', account] }),
  });
  if (!wallet) return null;
  return (
    <button
      type="button"
      className="button-small"
      disabled={request.isPending}
      onClick={() => request.mutate()}
      aria-label={`Get 1 SOL for ${name}`}
    >
      {request.isPending ? 'On its way…' : 'Get 1 SOL'}
    </button>
  );
}
