import type { RuleSet } from '@service/sdk';
import { setGate } from '@service/sdk/chain';
import { useServiceClient } from '@service/sdk/react';
import type { Address } from '@solana/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { WALLET_ADDITIONS } from '#demo/wallet/additions.ts';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { ActionButton } from '../../site/action-button.tsx';
import { WriteStatus } from '../../site/write-status.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';

interface AnyoneFreezesProps {
  readonly account: ChosenAccount;
  readonly mint: Address;
  /** The rule set of the gate. */
  readonly rule: RuleSet['address'];
  readonly anyoneFreezes: boolean;
}

/** The last step of an issuer whose token had holders before the gate. It can be taken back. */
export function AnyoneFreezes({ account, mint, rule, anyoneFreezes }: AnyoneFreezesProps) {
  const { deployment } = useServiceClient();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationKey: ['anyoneFreezes', mint],
    mutationFn: () =>
      setGate(account.wallet, { deployment, ...WALLET_ADDITIONS, mint, rule, anyoneFreezes: !anyoneFreezes }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['powers', mint] }),
  });
  return (
    <div className="stack-small">
      <div className="row row-spread">
        <span className="hint">
          {anyoneFreezes
            ? 'Anybody can freeze accounts without a live pass.'
            : 'Nobody but you can freeze accounts. When all holders have proved, let anybody do it.'}
        </span>
        <ActionButton
          className="button-small"
          busy={change.isPending}
          busyText="Waiting…"
          onClick={() => change.mutate()}
        >
          {anyoneFreezes ? 'Let only me freeze' : 'Let anybody freeze'}
        </ActionButton>
      </div>
      {change.isPending && <WriteStatus isPending />}
      {change.error && <ErrorNotice error={change.error} account={account} />}
    </div>
  );
}
