import { createTokenAccount } from '@service/sdk/chain';
import { useIssue, useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';

interface IssueToWallet {
  readonly mint: Address;
  readonly owner: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** Issues to the associated token account of a wallet, and creates it before if it does not exist. */
export function useIssueToWallet({ wallet }: ChosenAccount) {
  const { deployment } = useServiceClient();
  const queryClient = useQueryClient();
  const issue = useIssue(wallet);
  return useMutation({
    mutationKey: ['issueToWallet'],
    mutationFn: async ({ mint, owner, amount }: IssueToWallet) => {
      // It signs nothing if the account exists.
      const { tokenAccount } = await createTokenAccount(wallet, { deployment, mint, owner });
      return issue.mutateAsync({ mint, destination: tokenAccount, amount });
    },
    onSettled: (_result, _error, { mint }) => queryClient.invalidateQueries({ queryKey: ['mint', mint] }),
  });
}
