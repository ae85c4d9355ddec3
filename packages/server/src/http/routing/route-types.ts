/** The input and result of each route's handler, derived from the contract's routes. */
import type { ROUTES, RouteName } from '@service/contract';
import type { Address } from '@solana/kit';
import type * as z from 'zod/mini';
import type { Service } from '../../service.ts';
import type { HttpContext } from './variables.ts';

type RouteOf<N extends RouteName> = (typeof ROUTES)[N];

/** A request that passed every check, including its body. */
export interface RouteInput<N extends RouteName> {
  /** The decoded body; undefined for a GET. */
  readonly body: RouteOf<N> extends { request: infer S extends z.ZodMiniType } ? z.output<S> : undefined;
  /** The decoded query; undefined for a route without one. */
  readonly query: RouteOf<N> extends { query: infer S extends z.ZodMiniType } ? z.output<S> : undefined;
  /** `{id}` of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The signed-in wallet; null for a route that needs no session. */
  readonly wallet: RouteOf<N> extends { access: 'session' } ? Address : null;
  /** The idempotency key; null for a route that does not prepare. */
  readonly idempotencyKey: RouteOf<N> extends { preparing: true } ? string : null;
  /** The origin of the page that sent a POST; null for a GET, with which browsers send none. */
  readonly origin: RouteOf<N> extends { method: 'POST' } ? string : null;
  /** The name of the verifier that sent a webhook; null for every other route. */
  readonly verifier: RouteOf<N> extends { access: 'hmac' } ? string : null;
  /** Aborts when the client disconnects or the request takes too long. Pass it to every call that waits. */
  readonly signal: AbortSignal;
  /** Hono's context, for cookies and headers of the response. */
  readonly context: HttpContext;
}

/** The result of the handler, before it is encoded. */
type ResultOf<N extends RouteName> = z.output<RouteOf<N>['response']>;

/** Handles one route. Throws ServiceFault to reject the request. */
export type RouteHandler<N extends RouteName> = (
  service: Service,
  input: RouteInput<N>,
) => Promise<ResultOf<N>> | ResultOf<N>;

/** The handlers of routes, by their names. */
export type Handlers<N extends RouteName = RouteName> = { readonly [Name in N]: RouteHandler<Name> };
