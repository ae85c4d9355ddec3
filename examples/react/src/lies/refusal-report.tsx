import { ErrorDetails } from '../errors/error-details.tsx';
import { describeDifferences } from './describe-differences.ts';
import type { Refusal } from './refusals.ts';

/** Codes that the client throws before it asks the wallet. */
const BEFORE_THE_WALLET = ['CHALLENGE_REFUSED', 'PREPARED_MISMATCH', 'UNEXPECTED_RESPONSE'];

/** Shows what was asked, what the service sent, and what the client refused. */
export function RefusalReport({ refusal }: { readonly refusal: Refusal }) {
  const { lie, error, asked, changed } = refusal;
  const differences = describeDifferences(refusal);
  return (
    <article className="refusal stack" aria-label={`Refused: ${lie.name.toLowerCase()}`}>
      <header className="row">
        <RefusedMark />
        <h3>The client refused</h3>
        <code className="badge">{error.code}</code>
      </header>
      <ol className="refusal-story">
        <li>
          <p className="eyebrow">You asked</p>
          <p>{asked.words}</p>
        </li>
        <li>
          <p className="eyebrow">The service sent</p>
          <p>{lie.mode.description}</p>
          {changed && (
            <details>
              <summary>The changed response to {changed.path}</summary>
              <pre>{readable(changed.body)}</pre>
            </details>
          )}
        </li>
        <li>
          <p className="eyebrow">The client refused, because</p>
          <p>{error.message}</p>
        </li>
      </ol>
      <ul className="plain-list stack">
        {differences.map(({ part, expected, received }) => (
          <li key={part} className="difference">
            <p className="difference-part">{part}</p>
            <p>
              <span className="eyebrow">Expected</span>
              <ins>{expected}</ins>
            </p>
            <p>
              <span className="eyebrow">Received</span>
              <del>{received}</del>
            </p>
          </li>
        ))}
      </ul>
      {BEFORE_THE_WALLET.includes(error.code) && <p>Your wallet was not asked, and nothing was sent.</p>}
      <ErrorDetails error={error} />
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

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
