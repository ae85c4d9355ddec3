import type { RuleSet } from '@service/sdk';
import { useGrant, useNetwork } from '@service/sdk/react';
import { type FormEvent, useId, useState } from 'react';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { addressIn } from '../../site/address-field.tsx';
import { duration } from '../../site/words.ts';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { WalletField } from '../../wallet/wallet-field.tsx';
import { RuleSetField } from './rule-set-field.tsx';

interface GrantFormProps {
  readonly account: ChosenAccount;
  /** Rule sets whose creator may grant passes. */
  readonly ruleSets: readonly RuleSet[];
}

export function GrantForm({ account, ruleSets }: GrantFormProps) {
  const [chosen, setRule] = useState(ruleSets[0]!.address);
  const [text, setText] = useState('');
  const { data: network } = useNetwork();
  const grant = useGrant(account.wallet);
  const id = useId();
  const { address: rule, maxPassAgeSeconds } =
    ruleSets.find(({ address }) => address === chosen) ?? ruleSets[0]!;
  const holder = addressIn(text);
  const send = (expiresAt: bigint) => holder && grant.mutate({ rule, holder, expiresAt });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (network) send(network.chainTime + maxPassAgeSeconds);
  };
  return (
    <form className="card stack" onSubmit={submit} aria-labelledby={id}>
      <h3 id={id}>Grant a pass</h3>
      <p className="hint">
        A custodian or a vault cannot prove anything, so grant it a pass. The pass lasts for{' '}
        {duration(maxPassAgeSeconds)}. It counts only for tokens that accept granted passes.
      </p>
      <RuleSetField ruleSets={ruleSets} value={rule} onChange={setRule} />
      <WalletField label="Custodian" value={text} onChange={setText} />
      <div className="row">
        <ActionButton
          type="submit"
          className="button"
          disabled={!holder || !network}
          busy={grant.isPending}
          busyText="Waiting…"
        >
          Grant pass
        </ActionButton>
        <ActionButton
          className="button-secondary"
          disabled={!holder}
          busy={grant.isPending}
          busyText="Waiting…"
          onClick={() => send(0n)}
        >
          End grant
        </ActionButton>
      </div>
      <WriteStatus isPending={grant.isPending} confirmed={grant.confirmed}>
        {grant.isSuccess &&
          (grant.variables.expiresAt === 0n ? 'The grant has ended.' : 'The pass is granted.')}
      </WriteStatus>
      {grant.error && <ErrorNotice error={grant.error} account={account} />}
    </form>
  );
}
