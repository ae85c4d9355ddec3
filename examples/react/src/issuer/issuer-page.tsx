import { PageTitle } from '../site/page-title.tsx';
import { SignedIn } from '../wallet/signed-in.tsx';
import { GatedMintSection } from './gated/gated-mint-section.tsx';
import { PassPowersSection } from './pass-powers/pass-powers-section.tsx';
import { RecoverSection } from './recover/recover-section.tsx';
import { OwnRuleSets } from './rule-sets/own-rule-sets.tsx';
import { SetUp } from './set-up/set-up.tsx';

export function IssuerPage() {
  return (
    <>
      <PageTitle name="Issuer desk">Issuer desk</PageTitle>
      <p className="lead">Say who may hold your token. The chain enforces it on every transfer.</p>
      <SignedIn purpose="Sign in to create rule sets, and to issue tokens that only pass holders can receive.">
        {(account) => (
          // The key drops what the forms contain when the person switches the account.
          <div key={account.address} className="stack-large">
            <SetUp account={account} />
            <OwnRuleSets account={account} />
            <details className="later">
              <summary>Recover tokens, suspend holders, and gate tokens without a hook</summary>
              <div className="stack-large">
                <RecoverSection account={account} />
                <PassPowersSection account={account} />
                <GatedMintSection account={account} />
              </div>
            </details>
          </div>
        )}
      </SignedIn>
    </>
  );
}
