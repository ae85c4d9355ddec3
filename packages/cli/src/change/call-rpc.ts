import { isServiceError, ServiceError } from '@service/sdk';

/** Milliseconds that a command waits for an answer of the RPC. */
const MOST_RPC_MS = 30_000;

/** Calls the RPC, for 30 seconds at most. Throws ServiceError RPC_ERROR, with the RPC's error as cause. */
export async function callRpc<T>(
  what: string,
  call: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  try {
    return await call({ abortSignal: AbortSignal.timeout(MOST_RPC_MS) });
  } catch (cause) {
    if (isServiceError(cause)) throw cause;
    const message = `${what} failed on the RPC. Check rpcUrl of the deployment, or pass another RPC with --rpc.`;
    throw new ServiceError('RPC_ERROR', { message, cause });
  }
}
