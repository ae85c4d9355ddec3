import { getConnInfo } from '@hono/node-server/conninfo';
import type { HttpContext } from './variables.ts';

/**
 * The network address that a request is counted under: the peer of its connection. X-Forwarded-For is not believed,
 * because anyone can write it. Requests that came over no connection (in-process) share one.
 */
export function clientAddress(context: HttpContext): string {
  const connection = (context.env as { incoming?: unknown } | undefined)?.incoming;
  return connection ? (getConnInfo(context).remote.address ?? 'unknown') : 'in-process';
}
