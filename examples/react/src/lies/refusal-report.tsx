import type { ServiceErrorCode } from '@service/sdk';
import { ErrorDetails } from '../errors/error-details.tsx';
import { describeAsked } from './describe-asked.ts';
import { describeDifferences } from './describe-differences.ts';
import type { Refusal } from './refusals.ts';
import { useTerms } from './use-terms.ts';

/** What did not happen, by code. The wallet may have signed another transaction before, such as for a token account. */
const PREVENTED: Partial<Record<ServiceErrorCode, string>> = {
  CHALLENGE_REFUSED: 'Your wallet was not asked to sign this message.',
  PREPARED_MISMATCH: 'Your wallet was not asked to sign this transaction, and it was not sent.',
};

/** Shows what was asked, what the service sent, and what the client refused. */
export function RefusalReport({ refusal }: { readonly refusal: Refusal }) {
  const { error, asked, changed } = refusal;
  const { lie, path, body } = changed;
  const terms = useTerms(asked);
  const differences = describeDifferences(refusal, terms);
  return (
    <article className="refusal stack" aria-label={`Refused: ${lie.name.toLowerCase()}`}>
      <header className="row">
        <RefusedMark />
        <h3>The client refused</h3>
        <code className="badge">{error.code}</code>
      </header>
      <ul className="plain-list stack">
        {differences.map(({ part, expected, received }) => (
          <li key={part} className="difference">
            <p className="difference-part">The {part}</p>
            <p>
              <span className="eyebrow">You asked for</span>
              <ins>{expected}</ins>
            </p>
            <p>
              <span className="eyebrow">The service sent</span>
              <del>{received}</del>
            </p>
          </li>
        ))}
      </ul>
      {PREVENTED[error.code] && (
        <p>
          <strong>{PREVENTED[error.code]}</strong>
        </p>
      )}
      <dl className="refusal-story">
        <div>
          <dt className="eyebrow">Your request</dt>
          <dd>{describeAsked(asked, terms)}</dd>
        </div>
        <div>
          <dt className="eyebrow">The lie</dt>
          <dd>{lie.mode.description}</dd>
        </div>
      </dl>
      <ErrorDetails error={error}>
        <p>{error.message}</p>
        <p>The changed response to {path}:</p>
        <pre>{JSON.stringify(body, null, 2)}</pre>
      </ErrorDetails>
    </article>
  );
}

function RefusedMark() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" className="refused-mark">
      <path d="M12 2 4 5v6c0 5 3.400 9 8 11 4.600-2 8-6 8-11V5Z" fill="currentColor" />
      <path d="m9 9 6 6m0-6-6 6" stroke="var(--surface)" strokeWidth="2" />
    </svg>
  );
}
