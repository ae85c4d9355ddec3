import { usePassport } from '@service/sdk/react';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { GrantForm } from './grant-form.tsx';
import { SuspendForm } from './suspend-form.tsx';

/** What the creator of a rule set can do with passes of others. */
export function PassPowersSection({ account }: { readonly account: ChosenAccount }) {
  const { data: passport } = usePassport();
  const own = passport?.ruleSets.filter(({ creator }) => creator === account.address) ?? [];
  const [suspending, granting] = [
    own.filter(({ powers }) => powers?.includes('suspend')),
    own.filter(({ powers }) => powers?.includes('grant')),
  ];
  if (suspending.length === 0 && granting.length === 0) return null;
  return (
    <section aria-labelledby="pass-powers" className="stack">
      <h2 id="pass-powers">Suspend and grant passes</h2>
      <div className="columns">
        {suspending.length > 0 && <SuspendForm account={account} ruleSets={suspending} />}
        {granting.length > 0 && <GrantForm account={account} ruleSets={granting} />}
      </div>
    </section>
  );
}
