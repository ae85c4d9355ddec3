import { freezeWithoutPass, type GatedTokenAccount } from '@service/sdk/chain';
import { useServiceClient } from '@service/sdk/react';
import type { Address as AddressText } from '@solana/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { WALLET_ADDITIONS } from '#demo/wallet/additions.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { ActionButton } from '../site/action-button.tsx';
import { Address, nameOrShortAddress } from '../site/address.tsx';
import { WriteStatus } from '../site/write-status.tsx';
import type { ChosenAccount } from '../wallet/chosen-wallet.tsx';

interface GatedAccountRowProps {
  readonly mint: AddressText;
  readonly gated: GatedTokenAccount;
  readonly account: ChosenAccount;
  readonly anyoneFreezes: boolean;
}

export function GatedAccountRow({ mint, gated, account, anyoneFreezes }: GatedAccountRowProps) {
  const { deployment } = useServiceClient();
  const queryClient = useQueryClient();
  const { owner, tokenAccount, frozen, freezable } = gated;
  const freeze = useMutation({
    mutationKey: ['freezeWithoutPass', tokenAccount],
    mutationFn: () =>
      freezeWithoutPass(account.wallet, { deployment, ...WALLET_ADDITIONS, mint, owner, tokenAccount }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['gatedAccounts', mint] }),
  });
  return (
    <div className="stack-small">
      <div className="row row-spread">
        <Address address={owner} label="owner" />
        <span className="row">
          <span className={frozen ? 'badge' : 'badge badge-good'}>{frozen ? 'frozen' : 'thawed'}</span>
          <span className="hint">
            {(gated.pass?.secondsLeft ?? 0n) > 0n ? 'a live pass' : 'no live pass'}
          </span>
        </span>
        {freezable && anyoneFreezes && (
          <ActionButton
            className="button-small"
            busy={freeze.isPending}
            busyText="Freezing…"
            onClick={() => freeze.mutate()}
          >
            Freeze<span className="visually-hidden"> the account of {nameOrShortAddress(owner)}</span>
          </ActionButton>
        )}
      </div>
      {freeze.isPending && <WriteStatus isPending />}
      {freeze.error && <ErrorNotice error={freeze.error} account={account} />}
    </div>
  );
}
