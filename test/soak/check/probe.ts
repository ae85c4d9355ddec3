/** Measures how long after the end of the faults a whole operation works again through each server. */
import { ruleSetBody } from '@service/server/test-service';
import type { Scene } from '../load/actors.ts';
import { newClient } from '../load/actors.ts';
import { LoadEnded } from '../load/send-request.ts';

/** The most seconds until a server must be back. A connection to the database is silent for 15 before it is closed. */
export const BACK_SECONDS = 40;
/** Seconds after which a measurement ends. */
export const MOST_SECONDS = 60;

/**
 * Reads, signs in, prepares, submits and awaits an operation, with every request to one server. The wallet is new, so the
 * operation does not depend on what happened before. Returns the seconds that it took; null after `MOST_SECONDS`.
 */
export async function secondsUntilBack(scene: Scene, url: string): Promise<number | null> {
  const began = performance.now();
  const signal = AbortSignal.timeout(MOST_SECONDS * 1_000);
  const service = { ...scene.service, urls: [url], signal };
  try {
    for (;;) {
      const client = await newClient({ ...scene, service });
      await client.send({ method: 'GET', path: '/api/rules' });
      const operation = await client.run({ path: '/api/rules', body: ruleSetBody() });
      if (operation?.state === 'FINALIZED') return (performance.now() - began) / 1_000;
    }
  } catch (error) {
    if (error instanceof LoadEnded) return null;
    throw error;
  }
}
