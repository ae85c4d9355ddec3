import { usePassport } from '@service/sdk/react';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { PassportState } from '../../wallet/passport-state.tsx';
import { BindMintForm } from './bind-mint-form.tsx';
import { BoundMints } from './bound-mints.tsx';
import { CreateMintForm } from './create-mint-form.tsx';
import { useOwnMints } from './own-mints.ts';
import { unlisted, useOwnBindings } from './use-own-bindings.ts';

/** A mint becomes restricted when it is bound to a rule set. A binding lasts forever. */
export function MintSection({ account }: { readonly account: ChosenAccount }) {
  const { data: passport } = usePassport();
  const own = useOwnMints(account.address);
  const bindings = useOwnBindings(account.address) ?? [];
  const ruleSets = passport?.ruleSets.filter(({ creator }) => creator === account.address) ?? [];
  const unbound = unlisted(own.mints, bindings);
  return (
    <section aria-labelledby="mints" className="stack">
      <h2 id="mints">Mints</h2>
      <PassportState />
      <BoundMints bindings={bindings} ruleSets={passport?.ruleSets ?? []} />
      <div className="columns">
        <CreateMintForm account={account} own={own} bindings={bindings} />
        {passport && <BindMintForm account={account} mints={unbound} ruleSets={ruleSets} />}
      </div>
    </section>
  );
}
