import type { MintBinding } from '@service/sdk';
import type { RemovalReason } from '@service/sdk/chain';
import { useRecover } from '@service/sdk/react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { AmountField } from '../../chain/amount-field.tsx';
import { formatTokens, parseAmount } from '../../chain/amounts.ts';
import { MintField } from '../../chain/mint-field.tsx';
import { useMint } from '../../chain/use-mint.ts';
import { useTokenAccountAddress } from '../../chain/use-token-account.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { usePowers } from '../../powers/use-powers.ts';
import { ActionButton } from '../../site/action-button.tsx';
import { addressIn } from '../../site/address-field.tsx';
import { useReadyAhead } from '../../site/use-ready-ahead.ts';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { WalletField } from '../../wallet/wallet-field.tsx';

interface RecoverFormProps {
  readonly account: ChosenAccount;
  readonly bindings: readonly MintBinding[];
}

const REASONS: readonly (readonly [RemovalReason, string])[] = [
  ['lost-key', 'The holder lost the key'],
  ['court-order', 'A court ordered it'],
  ['error', 'The tokens went to the wrong wallet'],
  ['sanctions', 'Sanctions'],
  ['corporate-action', 'A corporate action'],
  ['other', 'Another reason'],
];

export function RecoverForm({ account, bindings }: RecoverFormProps) {
  const queryClient = useQueryClient();
  const [chosenMint, setMint] = useState(bindings[0]!.mint);
  const [lost, setLost] = useState('');
  const [next, setNext] = useState('');
  const [text, setText] = useState('');
  const [reason, setReason] = useState<RemovalReason>('lost-key');
  const id = useId();
  const { mint } = bindings.find((each) => each.mint === chosenMint) ?? bindings[0]!;
  const { data: found } = useMint(mint);
  const { data: powers } = usePowers(mint);
  const canRecover = powers && powers.roles.permanentDelegate === powers.binding?.address;
  const amount = found ? parseAmount(text, found.decimals) : null;
  const { data: source } = useTokenAccountAddress(mint, addressIn(lost));
  const { data: destination } = useTokenAccountAddress(mint, addressIn(next));
  const request = source && destination && amount ? { mint, source, destination, amount, reason } : null;
  const wanted = canRecover ? request : null;
  const recovery = useRecover(account.wallet);
  useReadyAhead(recovery, wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!wanted) return;
    recovery.mutate(wanted, {
      onSuccess: () => setText(''),
      onSettled: () => queryClient.invalidateQueries({ queryKey: ['tokenBalances'] }),
    });
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label="Recover tokens">
      <p className="hint">
        Moves tokens from a wallet whose key is lost to another wallet, which needs a live pass and a token
        account. The chain records the reason, and everybody can see it.
      </p>
      {bindings.length > 1 && <MintField label="Token" bindings={bindings} value={mint} onChange={setMint} />}
      {powers && !canRecover && (
        <p className="notice">
          You cannot recover this token from a lost wallet, and this never changes. When you create the next
          token, choose that you can.
        </p>
      )}
      <WalletField label="Lost wallet" value={lost} onChange={setLost} />
      <WalletField label="New wallet" value={next} onChange={setNext} />
      <AmountField value={text} onChange={setText} amount={amount} mint={found} />
      <div className="field">
        <label htmlFor={id}>Reason</label>
        <select id={id} value={reason} onChange={({ target }) => setReason(target.value as RemovalReason)}>
          {REASONS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <ActionButton
        type="submit"
        className="button"
        disabled={!wanted}
        busy={recovery.isPending}
        busyText="Recovering…"
      >
        Recover
      </ActionButton>
      <WriteStatus
        isPending={recovery.isPending}
        readiness={recovery.readiness}
        confirmed={recovery.confirmed}
      >
        {recovery.isSuccess &&
          found &&
          `Recovered ${formatTokens(recovery.variables.amount, found)}. It is final.`}
      </WriteStatus>
      {recovery.error && <ErrorNotice error={recovery.error} account={account} />}
    </form>
  );
}
