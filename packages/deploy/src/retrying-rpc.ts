/** An RPC that retries: public RPCs limit how fast they can be called. */
import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  isSolanaError,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit';
import { pause } from './loader/pause.ts';

const MAX_TRIES = 6;
const FIRST_WAIT_MS = 500;

/** Creates an RPC that retries as {@link createRetryingTransport} does. */
export function createRetryingRpc(url: string) {
  return createSolanaRpcFromTransport(createRetryingTransport(url));
}

/**
 * Creates a transport that retries each call after 429 and 5xx, and doubles the wait each time. Calls of a deployment are
 * safe to repeat.
 */
export function createRetryingTransport(url: string): RpcTransport {
  const transport = createDefaultRpcTransport({ url });
  const retrying = async (request: Parameters<RpcTransport>[0]) => {
    for (let tries = 1; ; tries++) {
      try {
        return await transport(request);
      } catch (error) {
        if (!isTemporary(error) || tries === MAX_TRIES) throw error;
        await pause(FIRST_WAIT_MS * 2 ** (tries - 1), request.signal);
      }
    }
  };
  return retrying as RpcTransport;
}

function isTemporary(error: unknown): boolean {
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return false;
  const { statusCode } = error.context;
  return statusCode === 429 || statusCode >= 500;
}
