import type { ErrorCode, FileRouteName, RouteName } from '@service/contract';
import type { Context, Hono } from 'hono';
import type { Logger } from 'pino';

/** Variables of a request in Hono. */
export interface HttpVariables {
  /** UUID of the request, which is in the X-Request-Id header and in every error body. */
  requestId: string;
  /** Logs with the request id. */
  log: Logger;
  /** Name of the route in the contract; undefined for an unknown path. */
  route?: RouteName | FileRouteName;
  /** The error code of the response; undefined if there is no error. */
  code?: ErrorCode;
  /** The error codes that the route declares; undefined before a route matches. */
  codes?: readonly ErrorCode[];
}

/** The service's Hono app. */
export type HttpApp = Hono<{ Variables: HttpVariables }>;
/** A request in the service's Hono app. */
export type HttpContext = Context<{ Variables: HttpVariables }>;
