import type { MintBinding, RuleSet } from '@service/sdk';
import { useBindMint } from '@service/sdk/react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { TokenOption } from '../../chain/token-name.tsx';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { AddressField, addressIn } from '../../site/address-field.tsx';
import { useReadyAhead } from '../../site/use-ready-ahead.ts';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';

/** In place of the address of an own mint. */
const OTHER = '';

interface BindMintFormProps {
  readonly account: ChosenAccount;
  /** Mints of this wallet that are not bound yet. */
  readonly mints: readonly MintBinding['mint'][];
  readonly ruleSets: readonly RuleSet[];
}

export function BindMintForm({ account, mints, ruleSets }: BindMintFormProps) {
  const [chosenMint, setMint] = useState<string>();
  const [other, setOther] = useState('');
  const [chosenRule, setRule] = useState<string>();
  const [requireSource, setRequireSource] = useState(false);
  const [honoursGranted, setHonoursGranted] = useState(false);
  const [readsCredential, setReadsCredential] = useState(false);
  const bind = useBindMint(account.wallet);
  const queryClient = useQueryClient();
  const id = useId();
  const own = chosenMint === OTHER ? undefined : (mints.find((each) => each === chosenMint) ?? mints[0]);
  const mint = own ?? addressIn(other);
  const rule = ruleSets.find(({ address }) => address === chosenRule)?.address ?? ruleSets[0]?.address;
  // The list of mints is behind after a success.
  const isBound = bind.isSuccess && bind.variables.mint === mint;
  const request =
    mint && rule && !isBound ? { mint, rule, requireSource, honoursGranted, readsCredential } : null;
  useReadyAhead(bind, request);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!request) return;
    bind.mutate(request, {
      onSuccess: () => queryClient.invalidateQueries({ queryKey: ['binding', request.mint] }),
    });
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Bind a token to a rule set">
      <p className="hint">
        From then on, only pass holders can receive its tokens. A binding cannot be removed. You can announce
        another rule set for it later.
      </p>
      <div className="field">
        <label htmlFor={`${id}-mint`}>Token to bind</label>
        <select id={`${id}-mint`} value={own ?? OTHER} onChange={(event) => setMint(event.target.value)}>
          {mints.map((each) => (
            <TokenOption key={each} mint={each} />
          ))}
          <option value={OTHER}>
            {mints.length === 0 ? 'Create a token first, or enter an address' : 'A token from elsewhere'}
          </option>
        </select>
      </div>
      {!own && <AddressField label="Address of the mint" of="mint" value={other} onChange={setOther} />}
      <div className="field">
        <label htmlFor={`${id}-rule`}>Rule set</label>
        <select id={`${id}-rule`} value={rule ?? ''} onChange={(event) => setRule(event.target.value)}>
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
        If you select this, the sender needs a live pass too. A holder whose pass has expired must renew it
        before a transfer.
      </p>
      <label className="check">
        <input
          type="checkbox"
          checked={honoursGranted}
          onChange={(event) => setHonoursGranted(event.target.checked)}
        />
        Accept passes that the creator of the rule set grants
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={readsCredential}
          onChange={(event) => setReadsCredential(event.target.checked)}
          aria-describedby={`${id}-credential`}
        />
        Read the credential in each transfer too
      </label>
      <p id={`${id}-credential`} className="hint">
        If you select this, a revocation of a credential stops transfers to its holder at once, before the
        pass expires.
      </p>
      <ActionButton
        type="submit"
        className="button"
        disabled={!request && !bind.isPending}
        busy={bind.isPending}
        busyText="Binding…"
      >
        Bind token
      </ActionButton>
      <WriteStatus isPending={bind.isPending} readiness={bind.readiness} confirmed={bind.confirmed}>
        {bind.isSuccess && 'Bound. You can issue its tokens now.'}
      </WriteStatus>
      {bind.error && <ErrorNotice error={bind.error} account={account} />}
    </form>
  );
}
