import type { ErrorCode, FileRouteName, RouteName } from '@service/contract';
import type { Context, Hono } from 'hono';
import type { Logger } from 'pino';

/** What every request carries through Hono. */
export interface HttpVariables {
  /** UUID of the request, in the answer's X-Request-Id and in every error body. */
  requestId: string;
  /** Logs with the request id. */
  log: Logger;
  /** Name of the route in the contract; nothing for a path that is none. */
  route?: RouteName | FileRouteName;
  /** The code of the error that the request was answered with; nothing when there is none. */
  code?: ErrorCode;
  /** What the route declares that it can answer; nothing before there is one. */
  codes?: readonly ErrorCode[];
}

/** The service's Hono app. */
export type HttpApp = Hono<{ Variables: HttpVariables }>;
/** A request in the service's Hono app. */
export type HttpContext = Context<{ Variables: HttpVariables }>;
