import { Link } from 'wouter';
import { PageTitle } from '../site/page-title.tsx';
import { useIsSandbox } from '../site/use-is-sandbox.ts';
import { Door } from './door.tsx';
import { SamplePass } from './sample-pass.tsx';
import { StackState } from './stack-state.tsx';

export function StartPage() {
  return (
    <div className="stack-large">
      <div className="hero">
        <div className="stack">
          <PageTitle name="Start">Tokens that only the right people can receive</PageTitle>
          <p className="lead">
            An issuer says who may hold a token, such as “adults in the EU who are professional investors”.
            Investors prove it on their own device, without showing who they are, and get a pass. The chain
            moves the token only to pass holders.
          </p>
          <Link href="/play" className="button button-large">
            See the story
          </Link>
        </div>
        <SamplePass />
      </div>
      <ul className="plain-list doors">
        <li>
          <Door path="/issuer" name="Issuer desk" step="By hand, first">
            Create a rule set, fund its passes, bind a token, issue it.
          </Door>
        </li>
        <li>
          <Door path="/holder" name="Holder page" step="Then, as Alice">
            Get verified, prove, see your passes, transfer tokens.
          </Door>
        </li>
        <li>
          <Door path="/lies" name="Lying service" step="Finally">
            Let the service lie, and see what the client refuses.
          </Door>
        </li>
      </ul>
      <FirstSteps />
      <StackState />
    </div>
  );
}

function FirstSteps() {
  const isSandbox = useIsSandbox();
  return (
    <section aria-labelledby="first-steps" className="stack">
      <h2 id="first-steps">By hand, step by step</h2>
      <ol className="steps">
        <li>
          Click <strong>Connect wallet</strong>, then <strong>Connect Development wallet</strong>. Get 1 SOL
          for Issuer, Alice and Bob. To change the account later, open the wallet menu, choose the account,
          and sign in again.
        </li>
        <li>
          As <em>Issuer</em>, sign in at the <Link href="/issuer">issuer desk</Link>. Create a rule set, fund
          it, create a token and bind it.
        </li>
        <li>
          As <em>Alice</em>, sign in at the <Link href="/holder">holder page</Link>. Get verified
          {isSandbox === false
            ? ' at the verifier that you started'
            : ' at the sandbox verifier, which accepts any data'}
          . Then prove the rule set. As Issuer again, issue tokens to Alice.
        </li>
        <li>
          As Alice, click <strong>Use Bob</strong> and enter an amount. The page says why the transfer would
          fail: Bob has no pass. Click <strong>Send it anyway</strong>, and the chain refuses, too.
        </li>
        <li>
          As <em>Bob</em>, get verified and prove. As Alice, transfer again.
        </li>
        <li>
          Turn on <Link href="/lies">“Let the service lie”</Link>, and transfer to Bob again.
        </li>
      </ol>
    </section>
  );
}
