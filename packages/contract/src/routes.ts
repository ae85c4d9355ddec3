/** Every endpoint of the service (SPEC.md section 4). The server and the SDK both read this list. */
import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import { eventsQuery } from './events/events-query.ts';
import { operationRecord } from './operation-record.ts';
import * as requests from './requests.ts';
import * as responses from './responses.ts';

/** The authorization that a request needs: none, a session, or the HMAC of a webhook. */
export type Access = 'public' | 'session' | 'hmac';

/** One endpoint. A `preparing` one needs an Idempotency-Key and returns an operation. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Path under the site's origin. `{id}` is an operation id. */
  readonly path: string;
  readonly access: Access;
  readonly preparing?: true;
  readonly request?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly response: z.ZodMiniType;
  /** Error codes besides those that every route of its kind can return. */
  readonly errors: readonly ErrorCode[];
}

const preparing = <S extends z.ZodMiniType>(path: string, request: S, errors: readonly ErrorCode[]) =>
  ({
    method: 'POST',
    path,
    access: 'session',
    preparing: true,
    request,
    response: operationRecord,
    errors: [
      'IDEMPOTENCY_KEY_REQUIRED',
      'IDEMPOTENCY_CONFLICT',
      'SIGNED_OPERATION_PENDING',
      'PROTOCOL_PAUSED',
      'INDEX_STALE',
      ...errors,
    ],
  }) as const;

const signing = <S extends z.ZodMiniType>(path: string, request: S) =>
  ({
    method: 'POST',
    path,
    access: 'session',
    request,
    response: operationRecord,
    errors: [
      'NOT_FOUND',
      'TRANSACTION_MISMATCH',
      'DRAFT_EXPIRED',
      'SIGNED_OPERATION_PENDING',
      'PROTOCOL_PAUSED',
    ],
  }) as const;

/** The endpoints by name. */
export const ROUTES = {
  config: {
    method: 'GET',
    path: '/api/config',
    access: 'public',
    response: responses.configResponse,
    errors: [],
  },
  network: {
    method: 'GET',
    path: '/api/network',
    access: 'public',
    response: responses.networkResponse,
    errors: ['INDEX_STALE'],
  },
  rules: {
    method: 'GET',
    path: '/api/rules',
    access: 'public',
    query: requests.rulesQuery,
    response: responses.rulesResponse,
    errors: ['INDEX_STALE'],
  },
  live: {
    method: 'GET',
    path: '/api/health/live',
    access: 'public',
    response: responses.liveResponse,
    errors: [],
  },
  ready: {
    method: 'GET',
    path: '/api/health/ready',
    access: 'public',
    response: responses.readyResponse,
    errors: [],
  },
  webhook: {
    method: 'POST',
    path: '/api/verifier/webhook',
    access: 'hmac',
    request: requests.webhookRequest,
    response: responses.webhookResponse,
    errors: ['AUTHENTICATION_REQUIRED', 'NOT_FOUND', 'IDEMPOTENCY_CONFLICT', 'INDEX_STALE'],
  },
  challenge: {
    method: 'POST',
    path: '/api/auth/challenge',
    access: 'public',
    request: requests.challengeRequest,
    response: responses.challengeResponse,
    errors: [],
  },
  verify: {
    method: 'POST',
    path: '/api/auth/verify',
    access: 'public',
    request: requests.verifyRequest,
    response: responses.verifyResponse,
    errors: ['AUTHENTICATION_REQUIRED'],
  },
  session: {
    method: 'GET',
    path: '/api/auth/session',
    access: 'public',
    response: responses.sessionResponse,
    errors: [],
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    request: requests.emptyRequest,
    response: responses.sessionResponse,
    errors: [],
  },
  passport: {
    method: 'GET',
    path: '/api/passport',
    access: 'session',
    response: responses.passportResponse,
    errors: ['INDEX_STALE'],
  },
  verificationSessions: {
    method: 'POST',
    path: '/api/verification-sessions',
    access: 'session',
    request: requests.verificationSessionRequest,
    response: responses.verificationSessionResponse,
    errors: [],
  },
  proofContext: {
    method: 'POST',
    path: '/api/proofs/context',
    access: 'session',
    request: requests.proofContextRequest,
    response: responses.proofContextResponse,
    errors: ['NOT_FOUND', 'CREDENTIAL_REQUIRED', 'CREDENTIAL_EXPIRED', 'VERIFIER_INACTIVE', 'INDEX_STALE'],
  },
  createRuleSet: preparing('/api/rules', requests.createRuleSetRequest, []),
  bindMint: preparing('/api/mint-bindings', requests.bindMintRequest, [
    'NOT_FOUND',
    'MINT_NOT_BINDABLE',
    'UNSUPPORTED_MINT_EXTENSIONS',
  ]),
  prove: preparing('/api/proofs', requests.proveRequest, [
    'NOT_FOUND',
    'CREDENTIAL_REQUIRED',
    'CREDENTIAL_EXPIRED',
    'VERIFIER_INACTIVE',
    'PASS_FEE_UNSET',
    'PASS_FEE_UNFUNDED',
    'PASS_FEE_ABOVE_LIMIT',
    'PROOF_INVALID',
  ]),
  issue: preparing('/api/mints/issue', requests.issueRequest, [
    'MINT_NOT_BOUND',
    'NOT_ISSUER',
    'TOKEN_ACCOUNT_NOT_FOUND',
  ]),
  transfer: preparing('/api/transfers', requests.transferRequest, [
    'MINT_NOT_BOUND',
    'TOKEN_ACCOUNT_NOT_FOUND',
  ]),
  adopt: signing('/api/transactions/adopt', requests.adoptRequest),
  submit: signing('/api/transactions/submit', requests.submitRequest),
  operation: {
    method: 'GET',
    path: '/api/operations/{id}',
    access: 'session',
    response: operationRecord,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Route>;

/** Name of an endpoint. */
export type RouteName = keyof typeof ROUTES;

/** One endpoint that responds to a GET with a file, a page or a stream instead of JSON. */
export interface FileRoute {
  /** Path under the site's origin. Each name in braces is one segment. */
  readonly path: string;
  /** The media types that it can respond with. */
  readonly types: readonly string[];
  /** Schema of the query. Absent: it takes none. */
  readonly query?: z.ZodMiniType;
  /** Error codes besides those that every route can return. */
  readonly errors: readonly ErrorCode[];
}

/** The files, pages and streams by name. */
export const FILE_ROUTES = {
  artifact: {
    path: '/artifacts/{digest}/{name}',
    types: ['application/wasm', 'application/json', 'application/octet-stream'],
    errors: ['NOT_FOUND'],
  },
  openApi: { path: '/api/openapi.json', types: ['application/json'], errors: [] },
  docs: { path: '/api/docs', types: ['text/html'], errors: [] },
  docsStyle: { path: '/api/docs.css', types: ['text/css'], errors: [] },
  events: {
    path: '/api/events',
    types: ['text/event-stream'],
    query: eventsQuery,
    errors: ['AUTHENTICATION_REQUIRED', 'SESSION_EXPIRED', 'INVALID_REQUEST'],
  },
} as const satisfies Record<string, FileRoute>;

/** Name of a file, page or stream. */
export type FileRouteName = keyof typeof FILE_ROUTES;

const EVERY_ROUTE: readonly ErrorCode[] = ['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];
const EVERY_POST: readonly ErrorCode[] = ['ORIGIN_MISMATCH', 'INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'];
const EVERY_SESSION: readonly ErrorCode[] = ['AUTHENTICATION_REQUIRED', 'SESSION_EXPIRED'];

/** The error codes of a request that no endpoint matches: an unknown path, or a known path with another method. */
export const UNMATCHED_ERRORS: readonly ErrorCode[] = [...EVERY_ROUTE, 'NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** Returns every error code that an endpoint can return. The server returns no others. */
export function errorCodesOf(name: RouteName | FileRouteName): ErrorCode[] {
  if (!isRoute(name)) return [...EVERY_ROUTE, ...FILE_ROUTES[name].errors];
  const route: Route = ROUTES[name];
  return [
    ...new Set([
      ...EVERY_ROUTE,
      ...(route.method === 'POST' ? EVERY_POST : []),
      ...(route.access === 'session' ? EVERY_SESSION : []),
      ...(route.query ? (['INVALID_REQUEST'] as const) : []),
      ...route.errors,
    ]),
  ];
}

function isRoute(name: RouteName | FileRouteName): name is RouteName {
  return Object.hasOwn(ROUTES, name);
}
