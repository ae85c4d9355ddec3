import type { RuleSet } from '@service/sdk';
import type { Address as AddressText } from '@solana/kit';
import { ErrorNotice } from '../../errors/error-notice.tsx';
import { GatedAccounts } from '../../gated/gated-accounts.tsx';
import { usePowers } from '../../powers/use-powers.ts';
import { Address } from '../../site/address.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { AnyoneFreezes } from './anyone-freezes.tsx';
import { IssueGatedForm } from './issue-gated-form.tsx';
import { SetGateForm } from './set-gate-form.tsx';

interface GatedMintCardProps {
  readonly account: ChosenAccount;
  readonly mint: AddressText;
  readonly ruleSets: readonly RuleSet[];
}

export function GatedMintCard({ account, mint, ruleSets }: GatedMintCardProps) {
  const { data: powers, error, refetch } = usePowers(mint);
  const gate = powers?.gate;
  const ruleSet = gate?.ruleSet;
  return (
    <article className="card stack" aria-label="Gated token">
      <div className="row row-spread">
        <Address address={mint} label="gated mint" />
        {ruleSet && (
          <span>
            gated by <strong>{ruleSet.name}</strong>
          </span>
        )}
        {powers && <span className="badge">{ruleSet ? 'holders thaw with a pass' : 'no gate yet'}</span>}
      </div>
      {error && <ErrorNotice error={error} onRetry={() => refetch()} />}
      {powers && !ruleSet && <SetGateForm account={account} mint={mint} ruleSets={ruleSets} />}
      {gate && ruleSet && (
        <>
          <AnyoneFreezes
            account={account}
            mint={mint}
            rule={ruleSet.address}
            anyoneFreezes={gate.canFreeze}
          />
          <GatedAccounts mint={mint} account={account} anyoneFreezes={gate.canFreeze} />
        </>
      )}
      {powers && <IssueGatedForm account={account} mint={mint} isGated={Boolean(ruleSet)} />}
    </article>
  );
}
