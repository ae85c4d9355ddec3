import type { RuleSet } from '@service/sdk';
import { useSuspend } from '@service/sdk/react';
import { type FormEvent, useId, useState } from 'react';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { addressIn } from '../../site/address-field.tsx';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { WalletField } from '../../wallet/wallet-field.tsx';
import { RuleSetField } from './rule-set-field.tsx';

interface SuspendFormProps {
  readonly account: ChosenAccount;
  /** Rule sets whose creator may suspend passes. */
  readonly ruleSets: readonly RuleSet[];
}

/** The suspension has no end: it lasts until the creator lifts it. */
const UNTIL_LIFTED = 2n ** 64n - 1n;

export function SuspendForm({ account, ruleSets }: SuspendFormProps) {
  const [chosen, setRule] = useState(ruleSets[0]!.address);
  const [text, setText] = useState('');
  const suspend = useSuspend(account.wallet);
  const id = useId();
  const rule = ruleSets.find(({ address }) => address === chosen)?.address ?? ruleSets[0]!.address;
  const holder = addressIn(text);
  const send = (until: bigint) => holder && suspend.mutate({ rule, holder, until });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(UNTIL_LIFTED);
  };
  return (
    <form className="card stack" onSubmit={submit} aria-labelledby={id}>
      <h3 id={id}>Suspend a wallet</h3>
      <p className="hint">
        Its pass does not count until you lift the suspension. Its tokens stay where they are.
      </p>
      <RuleSetField ruleSets={ruleSets} value={rule} onChange={setRule} />
      <WalletField label="Wallet to suspend" value={text} onChange={setText} />
      <div className="row">
        <ActionButton
          type="submit"
          className="button"
          disabled={!holder}
          busy={suspend.isPending}
          busyText="Waiting…"
        >
          Suspend
        </ActionButton>
        <ActionButton
          className="button-secondary"
          disabled={!holder}
          busy={suspend.isPending}
          busyText="Waiting…"
          onClick={() => send(0n)}
        >
          Lift suspension
        </ActionButton>
      </div>
      <WriteStatus isPending={suspend.isPending} confirmed={suspend.confirmed}>
        {suspend.isSuccess &&
          (suspend.variables.until === 0n ? 'The suspension is lifted.' : 'The wallet is suspended.')}
      </WriteStatus>
      {suspend.error && <ErrorNotice error={suspend.error} account={account} />}
    </form>
  );
}
