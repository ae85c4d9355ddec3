/** The RPC of a remote cluster. Its failures are errors that a person can act on. */
import { createRetryingTransport } from '@service/deploy';
import {
  createSolanaRpcFromTransport,
  isSolanaError,
  type Rpc,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type SolanaRpcApiDevnet,
} from '@solana/kit';
import { ClusterError } from './cluster-error.ts';

/** An RPC that may have a faucet. */
export type RemoteRpc = Rpc<SolanaRpcApiDevnet>;

/** Milliseconds for one call with its retries. */
const CALL_TIMEOUT_MS = 60_000;

/**
 * Creates the RPC. Each call is retried after 429 and 5xx and ends within a minute. Calls reject with ClusterError UNREACHABLE
 * or NOT_AN_RPC, and with kit's errors for what a Solana RPC answers.
 */
export function createRemoteRpc(url: string, timeoutMs = CALL_TIMEOUT_MS): RemoteRpc {
  const send = createRetryingTransport(url);
  const transport = (async (request: Parameters<RpcTransport>[0]) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      return await send({ ...request, signal });
    } catch (error) {
      request.signal?.throwIfAborted();
      throw timeout.aborted
        ? unreachable(url, `no response within ${timeoutMs / 1_000} s`, error)
        : faultOf(url, error);
    }
  }) as RpcTransport;
  return createSolanaRpcFromTransport(transport) as RemoteRpc;
}

/** Returns the status of an HTTP error, or undefined for another error. */
export function httpStatusOf(error: unknown): number | undefined {
  return isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) ? error.context.statusCode : undefined;
}

/** Returns the URL without path and query, which can contain a key. */
export function shown(url: string): string {
  return new URL(url).origin;
}

/** Creates the error for a URL that responds, but not as a Solana RPC. */
export function notAnRpc(url: string, why: string, cause?: unknown): ClusterError {
  const message = `${shown(url)} is not a Solana RPC: ${why}. Correct --rpc-url.`;
  return new ClusterError('NOT_AN_RPC', message, cause);
}

function unreachable(url: string, why: string, cause: unknown): ClusterError {
  const message = `The RPC at ${shown(url)} does not respond: ${why}. Check that the cluster runs and that --rpc-url is correct, then start again.`;
  return new ClusterError('UNREACHABLE', message, cause);
}

function faultOf(url: string, error: unknown): unknown {
  const status = httpStatusOf(error);
  if (status !== undefined) {
    const isTemporary = status === 429 || status >= 500;
    return isTemporary ? unreachable(url, `HTTP ${status}`, error) : notAnRpc(url, `HTTP ${status}`, error);
  }
  // kit's transport parses the body as JSON.
  if (error instanceof SyntaxError) return notAnRpc(url, 'its response is not JSON', error);
  // fetch has the reason in the cause.
  if (error instanceof TypeError) return unreachable(url, reasonOf(error), error);
  return error;
}

function reasonOf(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const { code } = cause as NodeJS.ErrnoException;
  return cause.message || code || error.message;
}
