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
    <div role="alert" className="refusal stack">
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
      {differences.length > 0 && (
        <div className="table-frame">
          <table>
            <caption className="visually-hidden">What differs</caption>
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col">Expected</th>
                <th scope="col">Received</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ part, expected, received }) => (
                <tr key={part}>
                  <th scope="row">{part}</th>
                  <td>
                    <ins>{expected}</ins>
                  </td>
                  <td>
                    <del>{received}</del>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {BEFORE_THE_WALLET.includes(error.code) && <p>Your wallet was not asked, and nothing was sent.</p>}
      <ErrorDetails error={error} />
    </div>
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
