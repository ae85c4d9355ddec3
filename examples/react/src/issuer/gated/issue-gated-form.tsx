import type { Address } from '@solana/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { AmountField } from '../../chain/amount-field.tsx';
import { formatAmount, parseAmount } from '../../chain/amounts.ts';
import { useRpc } from '../../chain/rpc.ts';
import { sendTransaction } from '../../chain/send-transaction.ts';
import { useMint } from '../../chain/use-mint.ts';
import { useTokenAccountAddress } from '../../chain/use-token-account.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { issueGatedInstructions } from '../../gated/gated-mint.ts';
import { useTokenAccountState } from '../../gated/use-token-account-state.ts';
import { ActionButton } from '../../site/action-button.tsx';
import { addressIn } from '../../site/address-field.tsx';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { WalletField } from '../../wallet/wallet-field.tsx';

interface IssueGatedFormProps {
  readonly account: ChosenAccount;
  readonly mint: Address;
  /** Without a gate, the issuer thaws each account alone. */
  readonly isGated: boolean;
}

/** Issues tokens as every client of Token-2022 does: no program of the service takes part. */
export function IssueGatedForm({ account, mint, isGated }: IssueGatedFormProps) {
  const rpc = useRpc();
  const queryClient = useQueryClient();
  const [holder, setHolder] = useState('');
  const [text, setText] = useState('');
  const { data: found } = useMint(mint);
  const owner = addressIn(holder);
  const amount = found ? parseAmount(text, found.decimals) : null;
  const { data: token } = useTokenAccountAddress(mint, owner);
  const { data: state } = useTokenAccountState(token);
  const waitsForHolder = isGated && state !== undefined && state !== 'thawed';
  const isReady = owner && token && state && found && amount && !waitsForHolder;
  const request = isReady ? { owner, token, state, amount, decimals: found.decimals } : null;
  const issue = useMutation({
    mutationKey: ['issueGated', mint],
    mutationFn: (asked: NonNullable<typeof request>) => {
      const instructions = issueGatedInstructions({ mint, issuer: account.address, ...asked });
      return sendTransaction({ rpc, wallet: account.wallet }, instructions);
    },
    onSuccess: () => setText(''),
    onSettled: () =>
      Promise.all(
        [
          ['mint', mint],
          ['tokenAccountState', token],
          ['gatedAccounts', mint],
        ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (request) issue.mutate(request);
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Issue gated tokens">
      <h3>Issue this token</h3>
      <WalletField label="Holder" value={holder} onChange={setHolder} />
      <AmountField value={text} onChange={setText} amount={amount} mint={found} />
      <p className="hint" aria-live="polite">
        {!isGated && 'There is no gate yet, so you thaw the account of each holder. This form does that too.'}
        {waitsForHolder && 'This account is not thawed. Its owner thaws it with a pass, on the holder page.'}
      </p>
      <ActionButton
        type="submit"
        className="button-secondary"
        disabled={!request}
        busy={issue.isPending}
        busyText="Issuing…"
      >
        Issue
      </ActionButton>
      <WriteStatus isPending={issue.isPending}>
        {issue.isSuccess &&
          `Issued ${formatAmount(issue.variables.amount, issue.variables.decimals)} tokens.`}
      </WriteStatus>
      {issue.error && <ErrorNotice error={issue.error} account={account} />}
    </form>
  );
}
