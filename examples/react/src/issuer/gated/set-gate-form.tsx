import type { RuleSet } from '@service/sdk';
import { setGate } from '@service/sdk/chain';
import { useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { WALLET_ADDITIONS } from '#demo/wallet/additions.ts';
import { useMint } from '../../chain/use-mint.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { shortAddress } from '../../site/address.tsx';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { RuleSetField } from '../pass-powers/rule-set-field.tsx';

interface SetGateFormProps {
  readonly account: ChosenAccount;
  readonly mint: Address;
  readonly ruleSets: readonly RuleSet[];
}

export function SetGateForm({ account, mint, ruleSets }: SetGateFormProps) {
  const { deployment } = useServiceClient();
  const queryClient = useQueryClient();
  const [chosen, setRule] = useState<RuleSet['address']>();
  const [honoursGranted, setHonoursGranted] = useState(false);
  const { data: found } = useMint(mint);
  const rule = ruleSets.find(({ address }) => address === chosen)?.address ?? ruleSets[0]?.address;
  const gate = useMutation({
    mutationKey: ['setGate', mint],
    mutationFn: (rule: RuleSet['address']) => {
      const anyoneFreezes = found?.supply === 0n;
      return setGate(account.wallet, {
        deployment,
        ...WALLET_ADDITIONS,
        mint,
        rule,
        honoursGranted,
        anyoneFreezes,
      });
    },
    onSuccess: () =>
      Promise.all(
        [
          ['powers', mint],
          ['gatedAccounts', mint],
        ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (rule) gate.mutate(rule);
  };
  return (
    <form className="stack-small" onSubmit={submit} aria-label={`Gate of ${shortAddress(mint)}`}>
      <p className="hint">
        Set its gate next. If it has holders, only you can freeze their accounts until you change that.
      </p>
      {rule ? (
        <RuleSetField ruleSets={ruleSets} value={rule} onChange={setRule} />
      ) : (
        <p className="hint">Create a rule set first.</p>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={honoursGranted}
          onChange={({ target }) => setHonoursGranted(target.checked)}
        />
        Accept granted passes at the gate
      </label>
      <ActionButton
        type="submit"
        className="button"
        disabled={!rule || !found}
        busy={gate.isPending}
        busyText="Setting the gate…"
      >
        Set the gate
      </ActionButton>
      <WriteStatus isPending={gate.isPending} />
      {gate.error && <ErrorNotice error={gate.error} account={account} />}
    </form>
  );
}
