import { Link } from 'wouter';
import { PageTitle } from '../site/page-title.tsx';
import { SamplePass } from './sample-pass.tsx';
import { StackState } from './stack-state.tsx';

export function StartPage() {
  return (
    <div className="start stack-large">
      <div className="hero">
        <div className="stack">
          <PageTitle name="Start">Tokens that only the right people can receive</PageTitle>
          <p className="lead">
            An issuer says who may hold a token, such as “adults in the EU who are professional investors”. A
            holder proves it in zero knowledge and gets a pass, and the chain moves the token only to pass
            holders.
          </p>
        </div>
        <SamplePass />
      </div>
      <ul className="plain-list doors">
        <li>
          <Door path="/issuer" name="Issuer desk" step="Start here">
            Create a rule set, fund its passes, bind a mint, issue tokens.
          </Door>
        </li>
        <li>
          <Door path="/holder" name="Holder page" step="Then switch to Alice">
            Get verified, prove, see your passes, transfer tokens.
          </Door>
        </li>
        <li>
          <Door path="/lies" name="Lying service" step="The best part">
            Let the service lie, and see what the client refuses.
          </Door>
        </li>
      </ul>
      <FirstSteps />
      <StackState />
    </div>
  );
}

interface DoorProps {
  readonly path: string;
  readonly name: string;
  readonly step: string;
  readonly children: string;
}

function Door({ path, name, step, children }: DoorProps) {
  return (
    <div className="door">
      <p className="eyebrow">{step}</p>
      <Link href={path} className="door-name">
        {name}
      </Link>
      <p>{children}</p>
    </div>
  );
}

function FirstSteps() {
  return (
    <section aria-labelledby="first-steps" className="stack">
      <h2 id="first-steps">What to click first</h2>
      <ol className="steps">
        <li>
          <strong>Connect wallet</strong>, then <em>Development wallet</em>. It has three accounts: Issuer,
          Alice and Bob. Click <strong>Get 1 SOL</strong> for Issuer and Alice.
        </li>
        <li>
          As <em>Issuer</em>, sign in at the <Link href="/issuer">issuer desk</Link>. Create a rule set, fund
          it, create a mint and bind it.
        </li>
        <li>
          As <em>Alice</em>, sign in at the <Link href="/holder">holder page</Link>. Get verified at the
          sandbox verifier, which believes everything. Then prove the rule set.
        </li>
        <li>
          As Issuer again, issue tokens to Alice. As Alice, transfer some to Bob, and see why that fails.
        </li>
      </ol>
    </section>
  );
}
