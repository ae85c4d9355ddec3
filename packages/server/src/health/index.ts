/** The health endpoints (SPEC.md section 4). */
import { defineRoute } from '../http/define-route.ts';
import type { HttpApp } from '../http/variables.ts';
import type { Service } from '../service.ts';
import { readReadiness } from './readiness.ts';

/** Serves liveness and readiness. */
export function registerHealth(app: HttpApp, service: Service): void {
  defineRoute(app, service, 'live', () => ({ status: 'ok' }));
  defineRoute(app, service, 'ready', ({ signal }) => readReadiness(service, signal));
}
