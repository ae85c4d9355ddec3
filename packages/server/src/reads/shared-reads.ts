import { withTimeout } from '../lib/with-timeout.ts';

/** Reads once per key: returns a read of the same key that is running or that started a moment ago, if there is one. */
export type SharedReads = <T>(key: string, read: (signal: AbortSignal) => Promise<T>) => Promise<T>;

const SHARED_READ_MS = 1_000;
/** Milliseconds after which a read is aborted. Visitors share it, so a visitor who leaves does not abort it. */
const READ_TIMEOUT_MS = 20_000;

/** What the shared reads of a service need. */
interface SharedReadsOptions {
  readonly clock: { now(): number };
  /** Aborts the reads that are in progress. */
  readonly signal: AbortSignal;
  readonly settings: { readonly sharedReadMs?: number };
}

interface Reading {
  readonly began: number;
  isRunning: boolean;
  readonly answer: Promise<unknown>;
}

/**
 * Shares one answer between all equal requests within `settings.sharedReadMs`, so that any number of visitors causes one RPC
 * call. A failure goes to the waiting requests and is not kept.
 */
export function createSharedReads({ clock, signal, settings }: SharedReadsOptions): SharedReads {
  const { sharedReadMs = SHARED_READ_MS } = settings;
  const readings = new Map<string, Reading>();
  const isOver = ({ began, isRunning }: Reading) => {
    const age = clock.now() - began;
    // The clock goes back when another database takes over.
    return !isRunning && (age >= sharedReadMs || age < 0);
  };
  return <T>(key: string, read: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    for (const [each, reading] of readings) if (isOver(reading)) readings.delete(each);
    const found = readings.get(key);
    if (found) return found.answer as Promise<T>;
    const answer = withTimeout(signal, READ_TIMEOUT_MS, read);
    const reading: Reading = { began: clock.now(), isRunning: true, answer };
    readings.set(key, reading);
    answer.then(
      () => {
        reading.isRunning = false;
      },
      () => readings.delete(key),
    );
    return answer;
  };
}
