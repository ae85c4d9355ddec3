import type { RuleSet } from '@service/sdk';
import { useBindMint } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { type FormEvent, useId, useState } from 'react';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { shortAddress } from '../../site/address.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';

interface BindMintFormProps {
  readonly account: ChosenAccount;
  /** Mints of this wallet that are not bound yet. */
  readonly mints: readonly Address[];
  readonly ruleSets: readonly RuleSet[];
}

export function BindMintForm({ account, mints, ruleSets }: BindMintFormProps) {
  const [chosenMint, setMint] = useState<Address>();
  const [chosenRule, setRule] = useState<Address>();
  const [requireSource, setRequireSource] = useState(false);
  const bind = useBindMint(account.wallet);
  const id = useId();
  const mint = mints.find((each) => each === chosenMint) ?? mints[0];
  const rule = ruleSets.find(({ address }) => address === chosenRule)?.address ?? ruleSets[0]?.address;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mint && rule) bind.mutate({ mint, rule, requireSource });
  };
  return (
    <form className="card stack" onSubmit={submit} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>Bind a mint to a rule set</h3>
      <p className="hint">
        From then on, only pass holders can receive its tokens. A binding cannot be changed or removed.
      </p>
      <div className="field">
        <label htmlFor={`${id}-mint`}>Mint to bind</label>
        <select
          id={`${id}-mint`}
          value={mint ?? ''}
          onChange={(event) => setMint(event.target.value as Address)}
        >
          {mints.length === 0 && <option value="">Create a mint first</option>}
          {mints.map((each) => (
            <option key={each} value={each}>
              {shortAddress(each)}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-rule`}>Rule set</label>
        <select
          id={`${id}-rule`}
          value={rule ?? ''}
          onChange={(event) => setRule(event.target.value as Address)}
        >
          {ruleSets.length === 0 && <option value="">Create a rule set first</option>}
          {ruleSets.map(({ address, name }) => (
            <option key={address} value={address}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={requireSource}
          onChange={(event) => setRequireSource(event.target.checked)}
          aria-describedby={`${id}-source`}
        />
        Require the sender’s pass too
      </label>
      <p id={`${id}-source`} className="hint">
        The recipient always needs a live pass. With this choice the sender needs one too: a holder whose pass
        has expired must renew it before sending tokens away.
      </p>
      <ActionButton
        type="submit"
        className="button"
        disabled={!mint || !rule}
        busy={bind.isPending}
        busyText="Binding…"
      >
        Bind mint
      </ActionButton>
      <p role="status" className="result">
        {bind.isPending && 'Approve in your wallet, then wait some seconds until it is final.'}
        {bind.isSuccess && 'Bound. You can issue its tokens now.'}
      </p>
      {bind.error && <ErrorNotice error={bind.error} account={account} />}
    </form>
  );
}
