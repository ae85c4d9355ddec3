import type { MintBinding } from '@service/sdk';
import { useTransfer } from '@service/sdk/react';
import { type FormEvent, useId, useState } from 'react';
import { AmountField } from '../../chain/amount-field.tsx';
import { formatAmount, parseAmount } from '../../chain/amounts.ts';
import { MintField } from '../../chain/mint-field.tsx';
import { useMint } from '../../chain/use-mint.ts';
import { ReasonList } from '../../checks/reason-list.tsx';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { WalletField, walletOf } from '../../wallet/wallet-field.tsx';
import { CreateRecipientAccount } from './create-recipient-account.tsx';
import { useCheckedTransfer } from './use-checked-transfer.ts';

interface TransferFormProps {
  readonly account: ChosenAccount;
  readonly bindings: readonly MintBinding[];
}

export function TransferForm({ account, bindings }: TransferFormProps) {
  const [chosenMint, setMint] = useState(bindings[0]!.mint);
  const [to, setTo] = useState('');
  const [text, setText] = useState('');
  const transfer = useTransfer(account.wallet);
  const id = useId();
  const binding = bindings.find(({ mint }) => mint === chosenMint) ?? bindings[0]!;
  const { data: mint } = useMint(binding.mint);
  const decimals = mint?.decimals ?? 0;
  const amount = mint ? parseAmount(text, decimals) : null;
  const owner = walletOf(to);
  const check = useCheckedTransfer({ account, binding, owner, amount, decimals });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (check.request) transfer.mutate(check.request);
  };
  return (
    <form className="card stack" onSubmit={submit} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>Transfer tokens</h3>
      {bindings.length > 1 && (
        <MintField label="Token" bindings={bindings} value={binding.mint} onChange={setMint} />
      )}
      <WalletField label="Recipient" value={to} onChange={setTo} />
      <AmountField
        value={text}
        onChange={setText}
        isInvalid={text !== '' && mint !== undefined && amount === null}
      />
      <div aria-live="polite" className="stack-small">
        <ReasonList reasons={check.reasons} />
        {check.ok && <p className="notice notice-good">This transfer would succeed now.</p>}
      </div>
      {check.lacksAccount && owner && (
        <CreateRecipientAccount
          account={account}
          mint={binding.mint}
          owner={owner}
          onCreated={check.refetch}
        />
      )}
      <ActionButton
        type="submit"
        className="button"
        disabled={!check.ok}
        busy={transfer.isPending}
        busyText="Transferring…"
      >
        Transfer
      </ActionButton>
      <p role="status" className="result">
        {transfer.isPending && 'Approve in your wallet, then wait some seconds until it is final.'}
        {transfer.isSuccess &&
          `Transferred ${formatAmount(transfer.variables.amount, decimals)} tokens. It is final.`}
      </p>
      {transfer.error && <ErrorNotice error={transfer.error} account={account} />}
    </form>
  );
}
