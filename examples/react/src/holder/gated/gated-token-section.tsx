import type { Address } from '@solana/kit';
import { useState } from 'react';
import { GatedAccounts } from '../../gated/gated-accounts.tsx';
import { TokenPowers } from '../../powers/token-powers.tsx';
import { usePowers } from '../../powers/use-powers.ts';
import { AddressField, addressIn } from '../../site/address-field.tsx';
import type { ChosenAccount } from '../../wallet/chosen-wallet.tsx';
import { ThawButton } from './thaw-button.tsx';

/** Anybody can gate a mint to a rule set, so the page suggests none: the person enters the address that the issuer gave. */
export function GatedTokenSection({ account }: { readonly account: ChosenAccount }) {
  const [text, setText] = useState('');
  const mint = addressIn(text);
  return (
    <section aria-labelledby="gated-token" className="stack">
      <h2 id="gated-token">A gated token</h2>
      <div className="card stack">
        <p className="hint">
          Its accounts are frozen until a pass thaws them. The issuer gives you the address of the mint.
        </p>
        <AddressField label="Address of its mint" of="mint" value={text} onChange={setText} />
        {mint && <GatedToken key={mint} mint={mint} account={account} />}
      </div>
    </section>
  );
}

function GatedToken({ mint, account }: { readonly mint: Address; readonly account: ChosenAccount }) {
  const { data: powers } = usePowers(mint);
  return (
    <>
      <TokenPowers mint={mint} isOpen />
      {powers && !powers.gate?.ruleSet && <p className="notice">This token has no gate of the service.</p>}
      {powers?.gate?.ruleSet && (
        <>
          <ThawButton mint={mint} account={account} />
          <GatedAccounts mint={mint} account={account} anyoneFreezes={powers.gate.canFreeze} />
        </>
      )}
    </>
  );
}
