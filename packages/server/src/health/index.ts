/** The health endpoints (SPEC.md section 4). */

import { ServiceFault } from '../http/failures/fault.ts';
import { defineRoute } from '../http/routing/define-route.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';
import { readReadiness } from './readiness.ts';

/** Serves liveness and readiness. */
export function registerHealth(app: HttpApp, service: Service): void {
  defineRoute(app, service, 'live', () => ({ status: 'ok' }));
  defineRoute(app, service, 'ready', async () => {
    // Share a failure too. Otherwise visitors would multiply the failing calls during an outage.
    // Do not share an answer from before the drain.
    const key = service.draining.aborted ? 'ready, draining' : 'ready';
    const answer = await service.shared(key, (signal) =>
      readReadiness(service, signal).catch((error: unknown) => {
        if (error instanceof ServiceFault) return error;
        throw error;
      }),
    );
    if (answer instanceof ServiceFault) throw answer;
    return answer;
  });
}
