import { isServiceError } from '@service/sdk';
import type { ReactNode } from 'react';

interface ChainRefusalProps {
  /** OPERATION_FAILED of a transfer. */
  readonly error: Error;
  /** Who paid the network fee: “Alice” or “You”. */
  readonly payer: string;
  /** What the program found. */
  readonly children: ReactNode;
}

/** Says that the chain itself rejected a transfer. */
export function ChainRefusal({ error, payer, children }: ChainRefusalProps) {
  const failure = isServiceError(error, 'OPERATION_FAILED') ? error.context.programError : undefined;
  return (
    <section className="refusal stack" aria-label="The chain refused">
      <header className="row">
        <h3>The chain refused</h3>
        {failure && (
          <code className="badge">
            {failure.name} {failure.code}
          </code>
        )}
      </header>
      {children}
      <p>
        <strong>No token moved, and no server could have let it through.</strong> {payer} paid only the
        network fee.
      </p>
    </section>
  );
}
