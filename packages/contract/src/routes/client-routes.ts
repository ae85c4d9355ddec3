/** The endpoints that the SDK calls (SPEC.md section 4). A bundle of the SDK contains no schema of the others. */
import type * as z from 'zod/mini';
import type { ErrorCode } from '../errors.ts';
import { operationRecord } from '../operation-record.ts';
import * as requests from '../requests.ts';
import * as responses from '../responses.ts';

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

/** The endpoints that the SDK calls, by name. */
export const CLIENT_ROUTES = {
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

/** Name of an endpoint that the SDK calls. */
export type ClientRouteName = keyof typeof CLIENT_ROUTES;
