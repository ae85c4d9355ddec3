import { randomUUID } from 'node:crypto';
import { type ErrorCode, type FileRouteName, REQUEST_ID_HEADER, type RouteName } from '@service/contract';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import { registerErrors } from './failures/error-handler.ts';
import type { HttpApp, HttpVariables } from './routing/variables.ts';

/** Facts about a completed request. None of them comes from the visitor's input. */
export interface RequestFacts {
  /** Name in the contract; undefined for an unknown path. */
  readonly route: RouteName | FileRouteName | undefined;
  readonly status: number;
  /** The error's code; undefined if there is no error. */
  readonly code: ErrorCode | undefined;
  /** Time from the request to its response. */
  readonly milliseconds: number;
}

/** Creates an app without routes. It adds request ids, one log line per request, and error responses. */
export function createApp(log: Logger, onAnswer: (facts: RequestFacts) => void = () => undefined): HttpApp {
  const app: HttpApp = new Hono<{ Variables: HttpVariables }>();
  app.use(async (context, next) => {
    const began = performance.now();
    const requestId = randomUUID();
    context.set('requestId', requestId);
    context.set('log', log.child({ requestId }));
    context.header(REQUEST_ID_HEADER, requestId);
    await next();
    // Responses contain names that anyone can put on chain, so browsers must not guess another type than JSON.
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
