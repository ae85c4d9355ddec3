import { isServiceError } from '@service/sdk';

/** For the person who helps: code, context and request id. None of them contains a secret. */
export function ErrorDetails({ error }: { readonly error: Error }) {
  if (!isServiceError(error)) return null;
  const { code, context, requestId } = error;
  return (
    <details className="error-details">
      <summary>
        Details <code>{code}</code>
      </summary>
      <pre>{JSON.stringify({ code, context, requestId }, writeBigint, 2)}</pre>
    </details>
  );
}

function writeBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
