import { setTimeout } from 'node:timers/promises';
import {
  type Address,
  isSolanaError,
  lamports,
  SOLANA_ERROR__JSON_RPC__INVALID_REQUEST,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
} from '@solana/kit';
import { ClusterError } from './cluster-error.ts';
import { httpStatusOf, type RemoteRpc, shown } from './remote-rpc.ts';

/** Options of {@link requestFromFaucet}. */
export interface FaucetOptions {
  readonly rpc: RemoteRpc;
  readonly url: string;
  readonly address: Address;
  /** What to do instead, as a sentence. */
  readonly remedy: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the SOL. @default a minute */
  readonly timeoutMs?: number;
}

/** Public faucets refuse larger requests. */
export const FAUCET_LAMPORTS = 1_000_000_000n;
const TIMEOUT_MS = 60_000;
const POLL_MS = 200;

/**
 * Requests 1 SOL from the faucet. Resolves when the SOL has arrived at confirmed.
 *
 * @throws ClusterError NO_FAUCET, FAUCET_REFUSED, UNREACHABLE
 */
export async function requestFromFaucet(options: FaucetOptions): Promise<void> {
  const { rpc, address, signal, timeoutMs = TIMEOUT_MS } = options;
  const config = signal ? { abortSignal: signal } : {};
  const balance = async () => (await rpc.getBalance(address, { commitment: 'confirmed' }).send(config)).value;
  const before = await balance();
  await rpc
    .requestAirdrop(address, lamports(FAUCET_LAMPORTS))
    .send(config)
    .catch((error: unknown) => {
      signal?.throwIfAborted();
      throw faultOf(options, error);
    });
  const end = performance.now() + timeoutMs;
  while ((await balance()) < before + FAUCET_LAMPORTS) {
    if (performance.now() > end) {
      throw refused(options, `the SOL did not arrive within ${timeoutMs / 1_000} s`);
    }
    await setTimeout(POLL_MS, undefined, { signal });
  }
}

function faultOf(options: FaucetOptions, error: unknown): unknown {
  // Nodes without a faucet either do not know the method or call the request invalid.
  const isMissing =
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND) ||
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_REQUEST);
  if (isMissing) {
    const message = `The cluster at ${shown(options.url)} has no faucet. ${options.remedy}`;
    return new ClusterError('NO_FAUCET', message, error);
  }
  if (isSolanaError(error)) return refused(options, error.message, error);
  // Public faucets limit requests by HTTP.
  const isLimited = error instanceof ClusterError && httpStatusOf(error.cause) === 429;
  return isLimited ? refused(options, 'too many requests', error) : error;
}

function refused({ url, remedy }: FaucetOptions, why: string, cause?: unknown): ClusterError {
  const message = `The faucet of ${shown(url)} gave no SOL: ${why}. ${remedy}`;
  return new ClusterError('FAUCET_REFUSED', message, cause);
}
