import type { Write } from '@service/sdk/react';
import { useEffect } from 'react';

/** Milliseconds without a change before a write is prepared, because each one that is prepared costs a call of the service. */
const PAUSE_MS = 400;

/**
 * Gets a write ready while its form is complete, so that the click asks the wallet in its task: browsers let a wallet open a
 * window only for a moment after a click. A change of the form discards what is ready. What has expired is prepared again.
 *
 * @param request what the form asks for; null while it is not complete
 */
export function useReadyAhead<TData, TRequest>(
  { prepare, readiness, isPending }: Write<TData, TRequest>,
  request: TRequest | null,
): void {
  const isComplete = request !== null && !isPending;
  // Forms make a new object each time that they render.
  const key = isComplete ? JSON.stringify(request, writeBigint) : null;
  const isExpired = readiness === 'expired';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the request, and what expired is prepared again.
  useEffect(() => {
    if (key === null) return;
    const timer = setTimeout(() => prepare(request), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      prepare(null);
    };
  }, [key, isExpired]);
}

const writeBigint = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
