/** Adds routes of the contract to the app, with all checks before their handlers and the encoding after them. */
import {
  describeIssue,
  errorCodesOf,
  FILE_ROUTES,
  type FileRouteName,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  ROUTES,
  type Route,
  type RouteName,
} from '@service/contract';
import { logError } from '@service/process';
import * as z from 'zod/mini';
import { requireWallet } from '../../auth/session.ts';
import { requireVerifier } from '../../auth/webhook-signature.ts';
import type { Service } from '../../service.ts';
import { invalidRequest, ServiceFault } from '../failures/fault.ts';
import { originOfPost } from '../origins.ts';
import { readJsonBody } from './body.ts';
import type { RouteHandler, RouteInput } from './route-types.ts';
import type { HttpApp, HttpContext } from './variables.ts';

const REQUEST_TIMEOUT_MS = 20_000;

/**
 * Serves a route of the contract. The checks run in this order: rate, origin, size and JSON, session (or HMAC), idempotency
 * key, body; the handler does the rest. The route's schema encodes the result. A result that does not fit the schema, or
 * an error code that the route does not declare, is never sent: the response is INTERNAL.
 */
export function defineRoute<N extends RouteName>(
  app: HttpApp,
  service: Service,
  name: N,
  handler: RouteHandler<N>,
): void {
  const route: Route = ROUTES[name];
  const codes = errorCodesOf(name);
  app.on(route.method, patternOf(route.path), async (context) => {
    context.set('route', name);
    context.set('codes', codes);
    const input = await admit(context, { service, name, route });
    const result = await handler(service, input as unknown as RouteInput<N>);
    return context.json(encode(context, route, result) as object);
  });
}

/** Returns a file or a page. Throws ServiceFault to reject the request. */
export type FileHandler = (context: HttpContext) => Promise<Response> | Response;

/** Serves a file or page of the contract. It counts each request per address and sends only declared error codes. */
export function defineFile(app: HttpApp, service: Service, name: FileRouteName, handler: FileHandler): void {
  const codes = errorCodesOf(name);
  app.get(patternOf(FILE_ROUTES[name].path), async (context) => {
    context.set('route', name);
    context.set('codes', codes);
    await service.limits.takeAddress(service.clientAddress(context), null);
    return handler(context);
  });
}

/** Converts a path with `{name}` to Hono's form. */
export function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

interface Admission {
  service: Service;
  name: RouteName;
  route: Route;
}

async function admit(context: HttpContext, { service, name, route }: Admission) {
  const { headers } = context.req.raw;
  await service.limits.takeAddress(service.clientAddress(context), name);
  const isPost = route.method === 'POST';
  const origin = isPost ? originOfPost(headers, service.settings, route.access) : null;
  const body = isPost ? await readJsonBody(context.req.raw) : undefined;
  const wallet = route.access === 'session' ? await requireWallet(service, context) : null;
  if (wallet !== null) await service.limits.takeWallet(wallet, name);
  const verifier =
    route.access === 'hmac' ? requireVerifier(service, { headers, body: body?.text ?? '' }) : null;
  const idempotencyKey = route.preparing ? readIdempotencyKey(headers) : null;
  return {
    wallet,
    idempotencyKey,
    origin,
    verifier,
    body: route.request ? decode(route.request, body?.json, 'body') : undefined,
    query: route.query ? decode(route.query, readQuery(context), 'query') : undefined,
    params: context.req.param(),
    signal: AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    context,
  };
}

function readIdempotencyKey(headers: Headers): string {
  const key = headers.get(IDEMPOTENCY_KEY_HEADER);
  if (key === null || !IDEMPOTENCY_KEY_PATTERN.test(key)) {
    throw new ServiceFault(
      'IDEMPOTENCY_KEY_REQUIRED',
      `${IDEMPOTENCY_KEY_HEADER} must be 8 to 100 letters, digits, _ or -.`,
    );
  }
  return key;
}

/** Reads the fields of the query. A repeated field becomes a list, which every schema rejects. */
function readQuery(context: HttpContext): Record<string, string | string[]> {
  const fields = Object.entries(context.req.queries());
  return Object.fromEntries(
    fields.map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  );
}

/** Describes the first three issues of a schema for the caller: the place and the problem. */
function describeIssues(issues: readonly z.core.$ZodIssue[], where: string): string {
  return issues
    .slice(0, 3)
    .map((issue) => `${[where, ...issue.path.map(String)].join('.')} ${describeIssue(issue)}`)
    .join('; ');
}

/** Decodes a part of a request. @throws ServiceFault INVALID_REQUEST */
export function decode(schema: z.ZodMiniType, value: unknown, where: string): unknown {
  const decoded = z.safeDecode(schema, value as never);
  if (decoded.success) return decoded.data;
  throw invalidRequest(`${describeIssues(decoded.error.issues, where)}.`);
}

function encode(context: HttpContext, route: Route, result: unknown): unknown {
  const encoded = z.safeEncode(route.response, result as never);
  if (encoded.success) return encoded.data;
  const where = describeIssues(encoded.error.issues, 'response');
  logError(context.get('log'), new Error(where), 'a response does not fit its schema; sent INTERNAL');
  throw new ServiceFault('INTERNAL');
}
