import { withTimeout } from '../lib/with-timeout.ts';
import type { Service } from '../service.ts';

/** Reads under a key, or gives what is just being read or was read a moment ago under the same. */
export type SharedReads = <T>(key: string, read: (signal: AbortSignal) => Promise<T>) => Promise<T>;

const SHARED_READ_MS = 1_000;
/** Milliseconds after which a read is given up. It is everybody's: a visitor who leaves does not end it. */
const READ_TIMEOUT_MS = 20_000;

interface Reading {
  readonly began: number;
  isUnderWay: boolean;
  readonly answer: Promise<unknown>;
}

/**
 * Lets all who ask for the same within `settings.sharedReadMs` share one answer: however many visitors ask, the RPC is
 * called once. A failure is given to those who wait for it and not kept.
 */
export function createSharedReads({ clock, signal, settings }: Service): SharedReads {
  const { sharedReadMs = SHARED_READ_MS } = settings;
  const readings = new Map<string, Reading>();
  const isOver = ({ began, isUnderWay }: Reading) => !isUnderWay && clock.now() - began >= sharedReadMs;
  return <T>(key: string, read: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    for (const [each, reading] of readings) if (isOver(reading)) readings.delete(each);
    const found = readings.get(key);
    if (found) return found.answer as Promise<T>;
    const answer = withTimeout(signal, READ_TIMEOUT_MS, read);
    const reading: Reading = { began: clock.now(), isUnderWay: true, answer };
    readings.set(key, reading);
    answer.then(
      () => {
        reading.isUnderWay = false;
      },
      () => readings.delete(key),
    );
    return answer;
  };
}
