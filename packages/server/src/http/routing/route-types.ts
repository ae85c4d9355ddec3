/** The input and result of each route's handler, derived from the contract's routes. */
import type { ROUTES, RouteName } from '@service/contract';
import type { Address } from '@solana/kit';
import type * as z from 'zod/mini';
import type { HttpContext } from './variables.ts';

type RouteOf<N extends RouteName> = (typeof ROUTES)[N];

/** The decoded body; undefined for a GET. */
export type BodyOf<N extends RouteName> =
  RouteOf<N> extends { request: infer S extends z.ZodMiniType } ? z.output<S> : undefined;
/** The decoded query; undefined for a route without one. */
export type QueryOf<N extends RouteName> =
  RouteOf<N> extends { query: infer S extends z.ZodMiniType } ? z.output<S> : undefined;
/** The signed-in wallet; null for a route that needs no session. */
export type WalletOf<N extends RouteName> = RouteOf<N> extends { access: 'session' } ? Address : null;
/** The idempotency key; null for a route that does not prepare. */
export type IdempotencyKeyOf<N extends RouteName> = RouteOf<N> extends { preparing: true } ? string : null;
/** The result of the handler, before it is encoded. */
export type ResultOf<N extends RouteName> = z.output<RouteOf<N>['response']>;

/** A request that passed every check, including its body. */
export interface RouteInput<N extends RouteName> {
  readonly body: BodyOf<N>;
  readonly query: QueryOf<N>;
  /** `{id}` of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly wallet: WalletOf<N>;
  readonly idempotencyKey: IdempotencyKeyOf<N>;
  /** Aborts when the client disconnects or the request takes too long. Pass it to every call that waits. */
  readonly signal: AbortSignal;
  /** Hono's context, for cookies and headers of the response. */
  readonly context: HttpContext;
}

/** Handles one route. Throws ServiceFault to reject the request. */
export type RouteHandler<N extends RouteName> = (input: RouteInput<N>) => Promise<ResultOf<N>> | ResultOf<N>;
