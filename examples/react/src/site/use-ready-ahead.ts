import type { Write } from '@service/sdk/react';
import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Milliseconds without a change before a write is prepared, because each one that is prepared costs a call of the service. */
const PAUSE_MS = 400;

/** How often a write that expires is prepared again while nobody does anything: for about five minutes. */
const MOST_RENEWALS = 10;

/**
 * Gets a write ready while its form is complete, so that the click asks the wallet in its task: browsers let a wallet open a
 * window only for a moment after a click. A change of the form discards what is ready. What has expired is prepared again, but
 * not in a hidden tab, and only for a few minutes without a change. After that, the click prepares it.
 *
 * @param request what the form asks for; null while it is not complete
 */
export function useReadyAhead<TData, TRequest>(
  { prepare, readiness, isPending }: Write<TData, TRequest>,
  request: TRequest | null,
): void {
  const isVisible = useSyncExternalStore(subscribeToVisibility, () => !document.hidden);
  const renewals = useRef(0);
  const isComplete = request !== null && !isPending;
  // Forms make a new object each time that they render.
  const key = isComplete ? JSON.stringify(request, writeBigint) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the request.
  useEffect(() => {
    if (key === null) return;
    const timer = setTimeout(() => prepare(request), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      prepare(null);
    };
  }, [key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the person changed the form, or came back to the tab.
  useEffect(() => {
    renewals.current = 0;
  }, [key, isVisible]);
  const isDue = key !== null && readiness === 'expired' && isVisible;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the request.
  useEffect(() => {
    if (!isDue || renewals.current >= MOST_RENEWALS) return;
    const timer = setTimeout(() => {
      renewals.current += 1;
      prepare(request);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isDue]);
}

function subscribeToVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

const writeBigint = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
