import { isSolanaError } from '@solana/kit';

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

/** PostgreSQL's codes: connection failure (08), too many connections (53300), shutdown or start (57P0), cancelled statement (57014). */
const POSTGRES_CODE = /^(08...|53300|57P0.|57014)$/;

/** Returns whether an error means that the RPC or the database cannot be reached, and not a defect of the service. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isSolanaError(error)) return isRpcFailure(error.context.__code);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  // fetch throws this when there is no connection.
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  // pg throws these when its pool cannot connect in time, or when a connection ends during a query.
  if (/^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)) return true;
  // This includes a unix socket, whose file does not exist (ENOENT) while the server is down.
  if ('syscall' in error && error.syscall === 'connect') return true;
  const code = 'code' in error ? String(error.code) : '';
  return NETWORK_CODES.has(code) || POSTGRES_CODE.test(code);
}

/** Uses kit's numbers: JSON-RPC codes are negative, and transport codes start at 8,100,000. */
function isRpcFailure(code: number): boolean {
  // A malformed request or an unknown method is a defect of the service, not an outage.
  const isDefect = code <= -32_600 && code >= -32_602;
  return (code < 0 && !isDefect) || (code >= 8_100_000 && code < 8_200_000);
}
