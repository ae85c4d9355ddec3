import type { MintBinding } from '@service/sdk';
import { type FormEvent, useState } from 'react';
import { AmountField } from '../../chain/amount-field.tsx';
import { formatAmount, parseAmount } from '../../chain/amounts.ts';
import { MintField } from '../../chain/mint-field.tsx';
import { useMint } from '../../chain/use-mint.ts';
import { ReasonList } from '../../checks/reason-list.tsx';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { WalletField, walletOf } from '../../wallet/wallet-field.tsx';
import { useIssueCheck } from './use-issue-check.ts';
import { useIssueToWallet } from './use-issue-to-wallet.ts';

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
  const owner = walletOf(holder);
  const check = useIssueCheck({ binding, owner, amount, decimals: mint?.decimals ?? 0 });
  const issue = useIssueToWallet(account);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (owner && amount) issue.mutate({ mint: binding.mint, owner, amount });
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label="Issue tokens">
      <MintField label="Mint" bindings={bindings} value={binding.mint} onChange={setMint} />
      <WalletField label="Holder" value={holder} onChange={setHolder} />
      <AmountField value={text} onChange={setText} isInvalid={mint !== undefined && amount === null} />
      <div aria-live="polite" className="stack-small">
        <ReasonList reasons={check.reasons} />
        {check.note && <p className="notice">{check.note}</p>}
      </div>
      <ActionButton
        type="submit"
        className="button"
        disabled={!check.ok}
        busy={issue.isPending}
        busyText="Issuing…"
      >
        Issue
      </ActionButton>
      <p role="status" className="result">
        {issue.isPending && 'Approve in your wallet, then wait some seconds until it is final.'}
        {issue.isSuccess &&
          mint &&
          `Issued ${formatAmount(issue.variables.amount, mint.decimals)} tokens. They are in the holder’s wallet.`}
      </p>
      {issue.error && <ErrorNotice error={issue.error} account={account} />}
    </form>
  );
}
