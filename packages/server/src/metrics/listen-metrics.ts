import { type Listener, listen, logError } from '@service/process';
import { Hono } from 'hono';
import { collectDefaultMetrics } from 'prom-client';
import * as z from 'zod/mini';
import type { Database } from '../database/database.ts';
import { redeliver } from '../events/delivery/redeliver.ts';
import { readJsonBody } from '../http/routing/body.ts';
import type { HttpApp } from '../http/routing/variables.ts';
import type { Service } from '../service.ts';
import { addGauges } from './gauges.ts';

const redeliverRequest = z.object({
  /** Unix seconds: also sends the accepted events that were recorded since then. @default only events that wait for a retry */
  since: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
});

/**
 * Serves the operator's endpoints on their own port: `GET /metrics`, in the Prometheus text format, and `POST /redeliver`, which
 * sends events again. Adds the gauges and Node's process metrics. Rejects if the port is taken.
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
  app.post('/redeliver', async (context) => {
    // Reject requests of web pages. A browser sends no JSON for a page of another site. It does if the host name of the page resolves to
    // this machine (DNS rebinding), but with an Origin.
    const isPage = context.req.header('origin') !== undefined;
    const isJson = context.req.header('content-type')?.startsWith('application/json');
    const json = await readJsonBody(context.req.raw).then(
      (body) => body.json,
      () => null,
    );
    const { data } = z.safeParse(redeliverRequest, json);
    if (isPage || !isJson || !data) {
      const remedy =
        'Send {} or {"since": "UNIX SECONDS"} with Content-Type: application/json. Do not send it from a web page.';
      return context.json({ error: { message: `The request is not valid. ${remedy}` } }, 400);
    }
    if (!service.settings.events)
      return context.json({ error: { message: 'There is no receiver of events. Set EVENTS_URL.' } }, 409);
    const since = data.since === undefined ? undefined : BigInt(data.since);
    return context.json({ events: await redeliver(service, since) });
  });
  app.onError((error, context) => {
    logError(service.log, error, 'a request of the operator failed');
    return context.json({ error: { message: 'The request failed. Read the log, and try again.' } }, 500);
  });
  const listener = await listen(app, where);
  addGauges(service, pool);
  collectDefaultMetrics({ register: registry });
  return listener;
}
