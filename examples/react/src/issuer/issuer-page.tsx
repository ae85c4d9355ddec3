import { PageTitle } from '../site/page-title.tsx';
import { SignedIn } from '../wallet/signed-in.tsx';
import { GatedMintSection } from './gated/gated-mint-section.tsx';
import { IssueSection } from './issue/issue-section.tsx';
import { MintSection } from './mint/mint-section.tsx';
import { PassPowersSection } from './pass-powers/pass-powers-section.tsx';
import { RecoverSection } from './recover/recover-section.tsx';
import { NewRuleSet } from './rule-sets/new-rule-set.tsx';
import { OwnRuleSets } from './rule-sets/own-rule-sets.tsx';

export function IssuerPage() {
  return (
    <>
      <PageTitle name="Issuer desk">Issuer desk</PageTitle>
      <p className="lead">Say who may hold your token. The chain enforces it on every transfer.</p>
      <SignedIn purpose="Sign in to create rule sets, and to issue tokens that only pass holders can receive.">
        {(account) => (
          // The key drops what the forms contain when the person switches the account.
          <div key={account.address} className="stack-large">
            <OwnRuleSets account={account} />
            <NewRuleSet account={account} />
            <MintSection account={account} />
            <IssueSection account={account} />
            <RecoverSection account={account} />
            <PassPowersSection account={account} />
            <GatedMintSection account={account} />
          </div>
        )}
      </SignedIn>
    </>
  );
}
