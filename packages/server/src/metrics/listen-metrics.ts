import { type Listener, listen } from '@service/process';
import { Hono } from 'hono';
import { collectDefaultMetrics } from 'prom-client';
import type { Database } from '../database/database.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';
import { addGauges } from './gauges.ts';

/**
 * Serves only `GET /metrics`, in the Prometheus text format, on its own port, because metrics are for the operator. Adds the
 * gauges and Node's process metrics. Rejects if the port is taken.
 */
export async function listenMetrics(
  service: Service,
  pool: Database['pool'],
  where: { port: number; host?: string },
): Promise<Listener> {
  const { registry } = service.metrics;
  const app: HttpApp = new Hono();
  app.get('/metrics', async (context) =>
    context.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType }),
  );
  const listener = await listen(app, where);
  addGauges(service, pool);
  collectDefaultMetrics({ register: registry });
  return listener;
}
