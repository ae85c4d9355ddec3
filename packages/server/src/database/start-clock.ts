import { type Background, startBackground } from '../lib/background.ts';
import type { Service } from '../service.ts';

/** Milliseconds between two measurements. */
const INTERVAL_MS = 5_000;

/** Starts to compare this process's clock with the database's. */
export function startClock(service: Service): Background {
  return startBackground(service, {
    name: 'clock',
    intervalMs: INTERVAL_MS,
    step: () => service.databaseClock.measure(),
  });
}
