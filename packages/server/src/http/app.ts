import { randomUUID } from 'node:crypto';
import { REQUEST_ID_HEADER } from '@service/contract';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import { registerErrors } from './errors.ts';
import type { HttpApp, HttpVariables } from './variables.ts';

/** An app without routes: request ids, one log line per request, error answers. */
export function createApp(log: Logger): HttpApp {
  const app: HttpApp = new Hono<{ Variables: HttpVariables }>();
  app.use(async (context, next) => {
    const began = performance.now();
    const requestId = randomUUID();
    context.set('requestId', requestId);
    context.set('log', log.child({ requestId }));
    context.header(REQUEST_ID_HEADER, requestId);
    await next();
    if (context.req.path.startsWith('/api/')) context.header('Cache-Control', 'no-store');
    context.get('log').info(
      {
        method: context.req.method,
        path: context.req.path,
        status: context.res.status,
        milliseconds: Math.round(performance.now() - began),
      },
      'request',
    );
  });
  registerErrors(app);
  return app;
}
