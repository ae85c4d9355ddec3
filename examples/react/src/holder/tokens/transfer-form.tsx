import type { MintBinding } from '@service/sdk';
import { useTransfer } from '@service/sdk/react';
import { type FormEvent, useId, useState } from 'react';
import { SendAnyway } from '#demo/holder/tokens/send-anyway.tsx';
import { AmountField } from '../../chain/amount-field.tsx';
import { formatTokens, parseAmount } from '../../chain/amounts.ts';
import { MintField } from '../../chain/mint-field.tsx';
import { useMint } from '../../chain/use-mint.ts';
import { useTokenAccountAddress } from '../../chain/use-token-account.ts';
import { ReasonList } from '../../checks/reason-list.tsx';
import { useCheckedTransfer } from '../../checks/use-checked-transfer.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { addressIn } from '../../site/address-field.tsx';
import { useReadyAhead } from '../../site/use-ready-ahead.ts';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { WalletField } from '../../wallet/wallet-field.tsx';
import { CreateTokenAccount } from './create-token-account.tsx';

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
  const owner = addressIn(to);
  const { data: source } = useTokenAccountAddress(binding.mint, account.address);
  const { data: destination } = useTokenAccountAddress(binding.mint, owner);
  const request =
    source && destination && amount ? { mint: binding.mint, source, destination, amount } : null;
  const check = useCheckedTransfer({ request, rule: binding.rule, owner, decimals });
  const wanted = check.ok ? request : null;
  useReadyAhead(transfer, wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted) transfer.mutate(wanted, { onSuccess: () => setText('') });
  };
  return (
    <form className="card stack" onSubmit={submit} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>Transfer tokens</h3>
      {bindings.length > 1 && (
        <MintField label="Token" bindings={bindings} value={binding.mint} onChange={setMint} />
      )}
      <WalletField label="Recipient" value={to} onChange={setTo} />
      <AmountField value={text} onChange={setText} amount={amount} mint={mint} />
      <div aria-live="polite" className="stack-small">
        <ReasonList reasons={check.reasons} />
        {check.ok && !transfer.isPending && !transfer.error && (
          <p className="notice notice-good">This transfer would succeed now.</p>
        )}
        {check.needsTokenAccount && (
          <p className="notice">
            {check.recipient} has no account for this token yet. Create it first. You pay its rent.
          </p>
        )}
      </div>
      {check.error && <ErrorNotice error={check.error} onRetry={check.refetch} />}
      {check.needsTokenAccount && owner && (
        <CreateTokenAccount account={account} mint={binding.mint} owner={owner}>
          Create the recipient’s token account
        </CreateTokenAccount>
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
      <WriteStatus
        isPending={transfer.isPending}
        readiness={transfer.readiness}
        confirmed={transfer.confirmed}
      >
        {transfer.isSuccess &&
          mint &&
          `Transferred ${formatTokens(transfer.variables.amount, mint)}. It is final.`}
      </WriteStatus>
      {transfer.error && <ErrorNotice error={transfer.error} account={account} />}
      {check.lacksPass && request && owner && (
        // The key drops the outcome of another transfer.
        <SendAnyway
          key={`${request.destination} ${request.amount}`}
          account={account}
          request={request}
          owner={owner}
          reasons={check.reasons}
        />
      )}
    </form>
  );
}
