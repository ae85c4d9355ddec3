import type { MintBinding } from '@service/sdk';
import { useIssue } from '@service/sdk/react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { AmountField } from '../../chain/amount-field.tsx';
import { formatTokens, parseAmount } from '../../chain/amounts.ts';
import { MintField } from '../../chain/mint-field.tsx';
import { useMint } from '../../chain/use-mint.ts';
import { useTokenAccountAddress } from '../../chain/use-token-account.ts';
import { ReasonList } from '../../checks/reason-list.tsx';
import { useCheckedTransfer } from '../../checks/use-checked-transfer.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { CreateTokenAccount } from '../../holder/tokens/create-token-account.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { addressIn } from '../../site/address-field.tsx';
import { useReadyAhead } from '../../site/use-ready-ahead.ts';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { WalletField } from '../../wallet/wallet-field.tsx';

interface IssueFormProps {
  readonly account: ChosenAccount;
  readonly bindings: readonly MintBinding[];
}

export function IssueForm({ account, bindings }: IssueFormProps) {
  const [chosenMint, setMint] = useState(bindings[0]!.mint);
  const [holder, setHolder] = useState('');
  const [text, setText] = useState('100');
  const binding = bindings.find(({ mint }) => mint === chosenMint) ?? bindings[0]!;
  const { data: mint } = useMint(binding.mint);
  const amount = mint ? parseAmount(text, mint.decimals) : null;
  const owner = addressIn(holder);
  const { data: destination } = useTokenAccountAddress(binding.mint, owner);
  const request = destination && amount ? { mint: binding.mint, destination, amount } : null;
  const check = useCheckedTransfer({ request, rule: binding.rule, owner, decimals: mint?.decimals ?? 0 });
  const queryClient = useQueryClient();
  const issue = useIssue(account.wallet);
  const wanted = check.ok ? request : null;
  useReadyAhead(issue, wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!wanted) return;
    issue.mutate(wanted, {
      onSuccess: () => setText(''),
      onSettled: () => queryClient.invalidateQueries({ queryKey: ['mint', wanted.mint] }),
    });
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Issue tokens">
      <MintField label="Token" bindings={bindings} value={binding.mint} onChange={setMint} />
      <WalletField label="Holder" value={holder} onChange={setHolder} />
      <AmountField value={text} onChange={setText} amount={amount} mint={mint} />
      <div aria-live="polite" className="stack-small">
        <ReasonList reasons={check.reasons} />
        {check.needsTokenAccount && (
          <p className="notice">
            {check.recipient} has no account for this token yet. Create it first. You pay its rent.
          </p>
        )}
      </div>
      {check.error && <ErrorNotice error={check.error} onRetry={check.refetch} />}
      {check.needsTokenAccount && owner && (
        <CreateTokenAccount account={account} mint={binding.mint} owner={owner}>
          Create the holder’s token account
        </CreateTokenAccount>
      )}
      <ActionButton
        type="submit"
        className="button"
        disabled={!check.ok}
        busy={issue.isPending}
        busyText="Issuing…"
      >
        Issue
      </ActionButton>
      <WriteStatus isPending={issue.isPending} readiness={issue.readiness} confirmed={issue.confirmed}>
        {issue.isSuccess &&
          mint &&
          `Issued ${formatTokens(issue.variables.amount, mint)}. They are in the holder’s wallet.`}
      </WriteStatus>
      {issue.error && <ErrorNotice error={issue.error} account={account} />}
    </form>
  );
}
