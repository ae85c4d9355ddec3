import { Hono } from 'hono';
import { collectDefaultMetrics } from 'prom-client';
import { type Listener, listen } from '../http/listen.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';
import { addGauges } from './gauges.ts';

/**
 * Serves `GET /metrics` in Prometheus' text form, and nothing else, on a port of its own: what it tells is the operator's.
 * Adds what is only worth reading then: the gauges, and Node's own numbers of the process. Rejects when the port is taken.
 */
export async function listenMetrics(
  service: Service,
  where: { port: number; host?: string },
): Promise<Listener> {
  const { registry } = service.metrics;
  const app: HttpApp = new Hono();
  app.get('/metrics', async (context) =>
    context.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType }),
  );
  const listener = await listen(app, where);
  addGauges(service);
  collectDefaultMetrics({ register: registry });
  return listener;
}
