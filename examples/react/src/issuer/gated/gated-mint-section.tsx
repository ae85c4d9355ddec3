import { usePassport } from '@service/sdk/react';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { gatedMints, useOwnMints } from '../mint/own-mints.ts';
import { CreateGatedMint } from './create-gated-mint.tsx';
import { GatedMintCard } from './gated-mint-card.tsx';

/** Tokens without a hook: their accounts are frozen until the owner has a pass. */
export function GatedMintSection({ account }: { readonly account: ChosenAccount }) {
  const { data: passport } = usePassport();
  const own = useOwnMints(account.address, gatedMints);
  const ruleSets = passport?.ruleSets.filter(({ creator }) => creator === account.address) ?? [];
  return (
    <section aria-labelledby="gated-mints" className="stack">
      <h2 id="gated-mints">Gated tokens</h2>
      <p>
        A token without a hook, which every wallet and exchange can transfer. New token accounts are frozen,
        and a pass thaws them.
      </p>
      <p className="notice">
        A gate is weaker than the hook of a bound token: no program checks a transfer. A holder whose pass has
        expired can move tokens until somebody freezes the account. Anybody can do that, and the keeper of
        this service does it within seconds.
      </p>
      <CreateGatedMint account={account} own={own} />
      {own.mints.map((mint) => (
        <GatedMintCard key={mint} account={account} mint={mint} ruleSets={ruleSets} />
      ))}
    </section>
  );
}
