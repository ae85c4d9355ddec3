import { randomUUID } from 'node:crypto';
import { type ErrorCode, type FileRouteName, REQUEST_ID_HEADER, type RouteName } from '@service/contract';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import { registerErrors } from './failures/errors.ts';
import type { HttpApp, HttpVariables } from './routing/variables.ts';

/** What is known of a request once it is answered; nothing of it is the visitor's word. */
export interface RequestFacts {
  /** Name in the contract; undefined for a path that is none. */
  readonly route: RouteName | FileRouteName | undefined;
  readonly status: number;
  /** The error's code; undefined when there is none. */
  readonly code: ErrorCode | undefined;
  /** From its beginning to its answer. */
  readonly milliseconds: number;
}

/** An app without routes: request ids, one log line per request, error answers. */
export function createApp(log: Logger, onAnswer: (facts: RequestFacts) => void = () => undefined): HttpApp {
  const app: HttpApp = new Hono<{ Variables: HttpVariables }>();
  app.use(async (context, next) => {
    const began = performance.now();
    const requestId = randomUUID();
    context.set('requestId', requestId);
    context.set('log', log.child({ requestId }));
    context.header(REQUEST_ID_HEADER, requestId);
    await next();
    // Names that anybody may put on chain are in answers: no browser is to read those as anything but JSON.
    context.header('X-Content-Type-Options', 'nosniff');
    if (context.req.path.startsWith('/api/')) context.header('Cache-Control', 'no-store');
    const { route, code } = context.var;
    const milliseconds = performance.now() - began;
    onAnswer({ route, code, status: context.res.status, milliseconds });
    context.get('log').info(
      {
        method: context.req.method,
        path: context.req.path,
        route,
        status: context.res.status,
        milliseconds: Math.round(milliseconds),
        code,
      },
      'request',
    );
  });
  registerErrors(app);
  return app;
}
