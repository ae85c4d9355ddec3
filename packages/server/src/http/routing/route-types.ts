/** What a handler of each route is given and gives back, derived from the contract's routes. */
import type { ROUTES, RouteName } from '@service/contract';
import type { Address } from '@solana/kit';
import type { Logger } from 'pino';
import type * as z from 'zod/mini';
import type { HttpContext } from './variables.ts';

type RouteOf<N extends RouteName> = (typeof ROUTES)[N];

/** The decoded body: of the route's request schema, or undefined for a GET. */
export type BodyOf<N extends RouteName> =
  RouteOf<N> extends { request: infer S extends z.ZodMiniType } ? z.output<S> : undefined;
/** The decoded query, or undefined for a route that takes none. */
export type QueryOf<N extends RouteName> =
  RouteOf<N> extends { query: infer S extends z.ZodMiniType } ? z.output<S> : undefined;
/** The signed-in wallet: always there where the route is for sessions, never asked for elsewhere. */
export type WalletOf<N extends RouteName> = RouteOf<N> extends { access: 'session' } ? Address : null;
/** The idempotency key: only preparing routes have one. */
export type IdempotencyKeyOf<N extends RouteName> = RouteOf<N> extends { preparing: true } ? string : null;
/** What the handler returns, before it is encoded. */
export type ResultOf<N extends RouteName> = z.output<RouteOf<N>['response']>;

/** A request that has passed every check up to its body. */
export interface RouteInput<N extends RouteName> {
  readonly body: BodyOf<N>;
  readonly query: QueryOf<N>;
  /** `{id}` of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly wallet: WalletOf<N>;
  readonly idempotencyKey: IdempotencyKeyOf<N>;
  readonly requestId: string;
  /** Aborts when the client has gone or the request has taken too long: pass it to every call that waits. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Hono's own context, for cookies and headers of the answer. */
  readonly context: HttpContext;
}

/** Answers one route. Throws ServiceFault to refuse. */
export type RouteHandler<N extends RouteName> = (input: RouteInput<N>) => Promise<ResultOf<N>> | ResultOf<N>;

/** What a route needs beside its handler. */
export interface RouteOptions {
  /**
   * For routes with access `hmac`, and required there: checks the sender by headers and exact body text before the body
   * is looked at. Throws ServiceFault.
   */
  readonly authenticate?: (sender: { headers: Headers; text: string }) => Promise<void> | void;
}
