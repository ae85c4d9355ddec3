/**
 * The endpoints that the SDK calls (SPEC.md section 4). A bundle of the SDK contains no schema of the others, and no
 * list of errors: see `errorCodesOf`.
 */
import type * as z from 'zod/mini';
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
  /** No rate limit counts its requests. */
  readonly unlimited?: true;
  readonly request?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly response: z.ZodMiniType;
}

const preparing = <S extends z.ZodMiniType>(path: string, request: S) =>
  ({ method: 'POST', path, access: 'session', preparing: true, request, response: operationRecord }) as const;

const signing = <S extends z.ZodMiniType>(path: string, request: S) =>
  ({ method: 'POST', path, access: 'session', request, response: operationRecord }) as const;

/** The endpoints that the SDK calls, by name. */
export const CLIENT_ROUTES = {
  config: {
    method: 'GET',
    path: '/api/config',
    access: 'public',
    response: responses.configResponse,
  },
  network: {
    method: 'GET',
    path: '/api/network',
    access: 'public',
    response: responses.networkResponse,
  },
  rules: {
    method: 'GET',
    path: '/api/rules',
    access: 'public',
    query: requests.rulesQuery,
    response: responses.rulesResponse,
  },
  challenge: {
    method: 'POST',
    path: '/api/auth/challenge',
    access: 'public',
    request: requests.challengeRequest,
    response: responses.challengeResponse,
  },
  verify: {
    method: 'POST',
    path: '/api/auth/verify',
    access: 'public',
    request: requests.verifyRequest,
    response: responses.verifyResponse,
  },
  session: {
    method: 'GET',
    path: '/api/auth/session',
    access: 'public',
    response: responses.sessionResponse,
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    request: requests.emptyRequest,
    response: responses.sessionResponse,
  },
  passport: {
    method: 'GET',
    path: '/api/passport',
    access: 'session',
    response: responses.passportResponse,
  },
  verificationSessions: {
    method: 'POST',
    path: '/api/verification-sessions',
    access: 'session',
    request: requests.verificationSessionRequest,
    response: responses.verificationSessionResponse,
  },
  proofContext: {
    method: 'POST',
    path: '/api/proofs/context',
    access: 'session',
    request: requests.proofContextRequest,
    response: responses.proofContextResponse,
  },
  createRuleSet: preparing('/api/rules', requests.createRuleSetRequest),
  bindMint: preparing('/api/mint-bindings', requests.bindMintRequest),
  prove: preparing('/api/proofs', requests.proveRequest),
  issue: preparing('/api/mints/issue', requests.issueRequest),
  transfer: preparing('/api/transfers', requests.transferRequest),
  recover: preparing('/api/mints/recover', requests.recoverRequest),
  redeem: preparing('/api/mints/redeem', requests.redeemRequest),
  suspend: preparing('/api/suspensions', requests.suspendRequest),
  grant: preparing('/api/grants', requests.grantRequest),
  adopt: signing('/api/transactions/adopt', requests.adoptRequest),
  submit: signing('/api/transactions/submit', requests.submitRequest),
  operation: {
    method: 'GET',
    path: '/api/operations/{id}',
    access: 'session',
    response: operationRecord,
  },
} as const satisfies Record<string, Route>;

/** Name of an endpoint that the SDK calls. */
export type ClientRouteName = keyof typeof CLIENT_ROUTES;
