/** An RPC that waits when it is told to: public ones refuse what comes too fast. */

import { UnreachableError } from '@service/server/process';
import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  isSolanaError,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit';
import { pause } from './loader/send.ts';

const TRIES = 6;
const FIRST_WAIT_MS = 500;

/** An RPC whose calls are made again after 429 and 5xx, each time after twice the wait; all of them may be. */
export function createPatientRpc(url: string) {
  const transport = createDefaultRpcTransport({ url });
  const patient = async (request: Parameters<RpcTransport>[0]) => {
    for (let tries = 1; ; tries++) {
      try {
        return await transport(request);
      } catch (error) {
        if (!isPassing(error) || tries === TRIES) throw error;
        await pause(FIRST_WAIT_MS * 2 ** (tries - 1), request.signal);
      }
    }
  };
  return createSolanaRpcFromTransport(patient as RpcTransport);
}

/** The genesis hash of the cluster behind an RPC. Throws UnreachableError when it does not answer. */
export async function readGenesisHash(
  rpc: ReturnType<typeof createPatientRpc>,
  abortSignal: AbortSignal,
): Promise<string> {
  try {
    return await rpc.getGenesisHash().send({ abortSignal });
  } catch (error) {
    throw new UnreachableError('RPC_URL', error);
  }
}

function isPassing(error: unknown): boolean {
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return false;
  const { statusCode } = error.context;
  return statusCode === 429 || statusCode >= 500;
}
