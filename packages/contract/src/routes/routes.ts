/** Every endpoint of the service (SPEC.md section 4). The SDK reads only `CLIENT_ROUTES`. */
import type { ErrorCode } from '../errors.ts';
import { mintBindingQuery } from '../requests.ts';
import { mintBindingResponse } from '../responses.ts';
import { CLIENT_ROUTES, type Route } from './client-routes.ts';
import { liveResponse, readyResponse } from './health.ts';
import { webhookRequest, webhookResponse } from './webhook.ts';

/** The endpoints by name. */
export const ROUTES = {
  ...CLIENT_ROUTES,
  mintBinding: {
    method: 'GET',
    path: '/api/mint-bindings',
    access: 'public',
    query: mintBindingQuery,
    response: mintBindingResponse,
  },
  live: {
    method: 'GET',
    path: '/api/health/live',
    access: 'public',
    unlimited: true,
    response: liveResponse,
  },
  ready: {
    method: 'GET',
    path: '/api/health/ready',
    access: 'public',
    unlimited: true,
    response: readyResponse,
  },
  webhook: {
    method: 'POST',
    path: '/api/verifier/webhook',
    access: 'hmac',
    request: webhookRequest,
    response: webhookResponse,
  },
} as const satisfies Record<string, Route>;

/** Name of an endpoint. */
export type RouteName = keyof typeof ROUTES;

/** One endpoint that responds to a GET with a file or a page instead of JSON. */
export interface FileRoute {
  /** Path under the site's origin. Each name in braces is one segment. */
  readonly path: string;
  /** The media types that it can respond with. */
  readonly types: readonly string[];
  /** Error codes besides those that every route can return. */
  readonly errors: readonly ErrorCode[];
}

/** The files and pages by name. */
export const FILE_ROUTES = {
  artifact: {
    path: '/artifacts/{digest}/{name}',
    types: ['application/wasm', 'application/json', 'application/octet-stream'],
    errors: ['NOT_FOUND'],
  },
  openApi: { path: '/api/openapi.json', types: ['application/json'], errors: [] },
  docs: { path: '/api/docs', types: ['text/html'], errors: [] },
  docsScript: { path: '/api/docs.js', types: ['text/javascript'], errors: [] },
  docsStyle: { path: '/api/docs.css', types: ['text/css'], errors: [] },
} as const satisfies Record<string, FileRoute>;

/** Name of a file or page. */
export type FileRouteName = keyof typeof FILE_ROUTES;

/** Error codes of every endpoint that prepares an operation, even of one that no pause stops. */
const PREPARING_ALWAYS: readonly ErrorCode[] = [
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_CONFLICT',
  'SIGNED_OPERATION_PENDING',
  'INDEX_STALE',
];
/** Error codes of every endpoint that prepares an operation which a pause stops. */
const PREPARING: readonly ErrorCode[] = [...PREPARING_ALWAYS, 'PROTOCOL_PAUSED'];
/** Error codes of the endpoints that take tokens. */
const REMOVING: readonly ErrorCode[] = [
  'MINT_NOT_BOUND',
  'NOT_ISSUER',
  'RECOVERY_NOT_ENABLED',
  'TOKEN_ACCOUNT_NOT_FOUND',
];
/** Error codes of the endpoints with which the creator of a rule set uses a power. */
const OF_CREATORS: readonly ErrorCode[] = ['NOT_FOUND', 'NOT_CREATOR', 'POWER_NOT_GIVEN'];
/** Error codes of every endpoint that takes signed bytes. */
const SIGNING: readonly ErrorCode[] = [
  'NOT_FOUND',
  'TRANSACTION_MISMATCH',
  'DRAFT_EXPIRED',
  'SIGNED_OPERATION_PENDING',
  'PROTOCOL_PAUSED',
];

/** Error codes of each endpoint besides those that every endpoint of its method and access can return. */
const ROUTE_ERRORS: Readonly<Record<RouteName, readonly ErrorCode[]>> = {
  config: [],
  network: ['INDEX_STALE'],
  rules: ['INDEX_STALE'],
  mintBinding: ['INDEX_STALE'],
  challenge: [],
  verify: ['AUTHENTICATION_REQUIRED'],
  session: [],
  logout: [],
  passport: ['INDEX_STALE'],
  verificationSessions: [],
  proofContext: [
    'NOT_FOUND',
    'CREDENTIAL_REQUIRED',
    'CREDENTIAL_EXPIRED',
    'VERIFIER_INACTIVE',
    'VERIFIER_NOT_ACCEPTED',
    'INDEX_STALE',
  ],
  createRuleSet: PREPARING,
  bindMint: [...PREPARING, 'NOT_FOUND', 'MINT_NOT_BINDABLE', 'UNSUPPORTED_MINT_EXTENSIONS'],
  prove: [
    ...PREPARING,
    'NOT_FOUND',
    'CREDENTIAL_REQUIRED',
    'CREDENTIAL_EXPIRED',
    'VERIFIER_INACTIVE',
    'VERIFIER_NOT_ACCEPTED',
    'PASS_SUSPENDED',
    'PASS_FEE_UNSET',
    'PASS_FEE_UNFUNDED',
    'PASS_FEE_ABOVE_LIMIT',
    'PLACE_NOT_IN_RULE_SET',
    'PLACE_TAKEN',
    'PLACE_NOT_HELD',
    'PLACE_TAKEN_TOO_SOON',
    'PLACE_HELD_BY_SUSPENDED',
    'PROOF_INVALID',
  ],
  issue: [...PREPARING, 'MINT_NOT_BOUND', 'NOT_ISSUER', 'TOKEN_ACCOUNT_NOT_FOUND'],
  transfer: [...PREPARING, 'MINT_NOT_BOUND', 'TOKEN_ACCOUNT_NOT_FOUND'],
  recover: [...PREPARING, ...REMOVING],
  redeem: [...PREPARING, ...REMOVING],
  suspend: [...PREPARING_ALWAYS, ...OF_CREATORS, 'PASS_NOT_SUSPENDED'],
  grant: [
    ...PREPARING,
    ...OF_CREATORS,
    'PASS_SUSPENDED',
    'PASS_PROVED',
    'PASS_NOT_GRANTED',
    'PASS_FEE_UNSET',
    'PASS_FEE_UNFUNDED',
    'PASS_FEE_ABOVE_LIMIT',
  ],
  adopt: SIGNING,
  submit: SIGNING,
  operation: ['NOT_FOUND'],
  live: [],
  ready: [],
  webhook: ['AUTHENTICATION_REQUIRED', 'NOT_FOUND', 'IDEMPOTENCY_CONFLICT', 'INDEX_STALE'],
};

const UNLIMITED: readonly ErrorCode[] = ['INTERNAL', 'UNAVAILABLE'];
const EVERY_ROUTE: readonly ErrorCode[] = ['RATE_LIMITED', ...UNLIMITED];
const EVERY_POST: readonly ErrorCode[] = ['ORIGIN_MISMATCH', 'INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'];
const EVERY_SESSION: readonly ErrorCode[] = ['AUTHENTICATION_REQUIRED', 'SESSION_EXPIRED', 'ORIGIN_MISMATCH'];

/** The error codes of a request that no endpoint matches: an unknown path, or a known path with another method. */
export const UNMATCHED_ERRORS: readonly ErrorCode[] = [...EVERY_ROUTE, 'NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** Returns every error code that an endpoint can return. The server returns no others. */
export function errorCodesOf(name: RouteName | FileRouteName): ErrorCode[] {
  if (!isRoute(name)) return [...EVERY_ROUTE, ...FILE_ROUTES[name].errors];
  const route: Route = ROUTES[name];
  return [
    ...new Set([
      ...(route.unlimited ? UNLIMITED : EVERY_ROUTE),
      ...(route.method === 'POST' ? EVERY_POST : []),
      ...(route.access === 'session' ? EVERY_SESSION : []),
      ...(route.query ? (['INVALID_REQUEST'] as const) : []),
      ...ROUTE_ERRORS[name],
    ]),
  ];
}

function isRoute(name: RouteName | FileRouteName): name is RouteName {
  return Object.hasOwn(ROUTES, name);
}
