import { openWitness, saveWitness } from '@service/sdk';
import { useServiceClient } from '@service/sdk/react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { useSavedWitness } from './use-saved-witness.ts';
import { useHeldWitness } from './witness.tsx';

const LEAST_CHARACTERS = 12;

/**
 * Saves the witness in this browser under a passphrase, or opens the saved one. A renewal or another rule set then needs no
 * new verification.
 */
export function SavedWitnessForm({ account }: { readonly account: ChosenAccount }) {
  const { deployment } = useServiceClient();
  const { witness, hold } = useHeldWitness();
  const [passphrase, setPassphrase] = useState('');
  const id = useId();
  const { saved, save: keep } = useSavedWitness(account.address);
  // Neither takes or returns the witness, because TanStack Query would keep it.
  const save = useMutation({
    mutationKey: ['saveWitness'],
    mutationFn: async () => {
      if (!witness) return;
      await keep(await saveWitness({ witness, deployment, passphrase }));
    },
    onSuccess: () => setPassphrase(''),
  });
  const open = useMutation({
    mutationKey: ['openWitness'],
    mutationFn: async () => {
      if (saved) hold(await openWitness({ saved, deployment, wallet: account.address, passphrase }));
    },
    onSuccess: () => setPassphrase(''),
  });
  if (!witness && !saved) return null;
  const { mutate, isPending, error } = witness ? save : open;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form className="stack-small" onSubmit={submit} aria-label="Saved witness">
      <div className="row row-end-aligned">
        <div className="field field-short">
          <label htmlFor={id}>Passphrase</label>
          <input
            id={id}
            type="password"
            autoComplete={witness ? 'new-password' : 'current-password'}
            minLength={LEAST_CHARACTERS}
            value={passphrase}
            onChange={({ target }) => setPassphrase(target.value)}
            aria-describedby={`${id}-hint`}
          />
        </div>
        <ActionButton
          type="submit"
          className="button-secondary"
          disabled={passphrase.length < LEAST_CHARACTERS}
          busy={isPending}
          busyText={witness ? 'Saving…' : 'Opening…'}
        >
          {witness ? 'Save the witness' : 'Open the saved witness'}
        </ActionButton>
      </div>
      <p id={`${id}-hint`} className="hint">
        {witness
          ? `Encrypts it in this browser, for later proofs. Use at least ${LEAST_CHARACTERS} characters. Nobody can recover them.`
          : 'This browser has your witness, encrypted. Open it to prove without a new verification.'}
      </p>
      <p role="status" className="result">
        {save.isSuccess && witness && 'Saved in this browser.'}
      </p>
      {error && <ErrorNotice error={error} account={account} />}
    </form>
  );
}
