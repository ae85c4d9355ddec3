import { setTimeout } from 'node:timers/promises';

/** Waits for some milliseconds, or rejects with the signal's reason. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}
