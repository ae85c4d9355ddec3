import { PageTitle } from '../site/page-title.tsx';
import { SignedIn } from '../wallet/signed-in.tsx';
import { CredentialSection } from './credential/credential-section.tsx';
import { GatedTokenSection } from './gated/gated-token-section.tsx';
import { PassportSection } from './passport/passport-section.tsx';
import { ReceiptsSection } from './receipts/receipts-section.tsx';
import { RuleSetsSection } from './rule-sets/rule-sets-section.tsx';
import { TokensSection } from './tokens/tokens-section.tsx';

export function HolderPage() {
  return (
    <>
      <PageTitle name="Holder page">Holder page</PageTitle>
      <p className="lead">
        Prove that you meet a rule set. Only the verifier learns your region, your status and your birth date.
      </p>
      <SignedIn purpose="Sign in to get verified, to prove rule sets, and to transfer your tokens.">
        {(account) => (
          // The key drops what the forms contain when the person switches the account.
          <div key={account.address} className="stack-large">
            <CredentialSection account={account} />
            <RuleSetsSection account={account} />
            <PassportSection account={account} />
            <TokensSection account={account} />
            <GatedTokenSection account={account} />
            <ReceiptsSection account={account} />
          </div>
        )}
      </SignedIn>
    </>
  );
}
