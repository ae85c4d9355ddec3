import { isServiceError } from '@service/sdk';
import type { ReactNode } from 'react';

/** For the person who helps: code, context and request id. None of them contains a secret. */
export function ErrorDetails({ error, children }: { readonly error: Error; readonly children?: ReactNode }) {
  if (!isServiceError(error)) return null;
  const { code, context, requestId } = error;
  return (
    <details className="error-details">
      <summary>
        Details <code>{code}</code>
      </summary>
      {children}
      <pre>{JSON.stringify({ code, context, requestId }, writeBigint, 2)}</pre>
    </details>
  );
}

function writeBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
