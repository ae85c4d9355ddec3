import { isSolanaError } from '@solana/kit';

/** Codes of connections that could not be made or broke, from Node. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** PostgreSQL: connection failures (08), too many connections (53300), shutdown or start (57P), a statement cancelled (57014). */
const POSTGRES_CODE = /^(08...|53300|57P0.|57014)$/;

/** Whether an error says that the RPC or the database cannot be reached, as opposed to a defect of the service. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isSolanaError(error)) return isRpcFailure(error.context.__code);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  // What fetch throws when there is no connection.
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  // What pg throws when its pool cannot connect in time, or a connection ends under a query.
  if (/^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)) return true;
  // Of a unix socket too, whose file is gone (ENOENT) while the server is.
  if ('syscall' in error && error.syscall === 'connect') return true;
  const code = 'code' in error ? String(error.code) : '';
  return NETWORK_CODES.has(code) || POSTGRES_CODE.test(code);
}

/** kit's own numbers: JSON-RPC codes are negative, and from 8,100,000 come those of the transport. */
function isRpcFailure(code: number): boolean {
  // A request that the node finds malformed, or whose method it lacks, is a defect and not an outage.
  const isDefect = code <= -32_600 && code >= -32_602;
  return (code < 0 && !isDefect) || (code >= 8_100_000 && code < 8_200_000);
}
