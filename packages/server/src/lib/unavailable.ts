import { isSolanaError } from '@solana/kit';
import { RpcAnswerError } from '../rpc/answers.ts';
import { RpcConnectionError } from '../rpc/post.ts';

/** Node's codes for failed and broken connections. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/**
 * PostgreSQL's codes: connection failure (08), a transaction that waited too long (25P03), a standby (25006), a conflict or
 * deadlock (40001, 40P01), a full disk, no memory or no connection (53), a lock that was not free in time (55P03), a cancelled
 * statement (57014), shutdown or start (57P0), and an I/O error (58030).
 */
const POSTGRES_CODE = /^(08...|25006|25P03|40001|40P01|53...|55P03|57014|57P0.|58030)$/;

/** What pg throws when its pool cannot connect in time, or when a connection ends during a query or before it. */
const PG_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed) and is not queryable)/;

/** Returns whether an error means that the RPC or the database cannot be reached, and not a defect of the service. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isSolanaError(error)) return isRpcFailure(error.context.__code);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  if (error instanceof RpcAnswerError || error instanceof RpcConnectionError) return true;
  // fetch throws these when there is no connection, or when it ends within a response.
  if (error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)) return true;
  if (PG_MESSAGE.test(error.message)) return true;
  // This includes a unix socket, whose file does not exist (ENOENT) while the server is down.
  if ('syscall' in error && error.syscall === 'connect') return true;
  // PostgreSQL cannot write its log, so it ends all of its processes. The code depends on the reason.
  if ('severity' in error && error.severity === 'PANIC') return true;
  const code = 'code' in error ? String(error.code) : '';
  return NETWORK_CODES.has(code) || POSTGRES_CODE.test(code);
}

/** Uses kit's numbers: JSON-RPC codes are negative, and transport codes start at 8,100,000. */
function isRpcFailure(code: number): boolean {
  // A malformed request or an unknown method is a defect of the service, not an outage.
  const isDefect = code <= -32_600 && code >= -32_602;
  return (code < 0 && !isDefect) || (code >= 8_100_000 && code < 8_200_000);
}
