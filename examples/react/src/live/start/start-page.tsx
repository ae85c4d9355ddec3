import { PageTitle } from '../../site/page-title.tsx';
import { Door } from '../../start/door.tsx';
import { SamplePass } from '../../start/sample-pass.tsx';
import type * as demo from '../../start/start-page.tsx';

/** The start page of an operator: what the service is for, and its two pages. */
export const StartPage: typeof demo.StartPage = () => (
  <div className="stack-large">
    <div className="hero">
      <div className="stack">
        <PageTitle name="Start">Tokens that only the right people can receive</PageTitle>
        <p className="lead">
          An issuer says who may hold a token. You prove on your own device that you meet the rules, and get a
          pass. Only the verifier learns your data.
        </p>
      </div>
      <SamplePass />
    </div>
    <ul className="plain-list doors">
      <li>
        <Door path="/holder" name="Holder page" step="For investors">
          Get verified, prove, see your passes, transfer tokens.
        </Door>
      </li>
      <li>
        <Door path="/issuer" name="Issuer desk" step="For issuers">
          Create a rule set, fund its passes, bind a token, issue it.
        </Door>
      </li>
    </ul>
  </div>
);
