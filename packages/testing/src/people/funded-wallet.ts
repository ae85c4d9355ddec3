import { type CallOptions, type Deployment, isServiceError, ServiceError } from '@service/sdk';
import {
  type Address,
  createSolanaRpc,
  devnet,
  generateKeyPairSigner,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  SOLANA_ERROR__JSON_RPC__INVALID_REQUEST,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
} from '@solana/kit';
import { withTimeout } from './with-timeout.ts';

/** Options of {@link fundedWallet}. */
export interface FundedWalletOptions extends CallOptions {
  /** Lamports to request from the faucet. @default 1_000_000_000n, which is 1 SOL */
  readonly lamports?: bigint | undefined;
}

const ONE_SOL = 1_000_000_000n;
const RPC_TIMEOUT_MS = 30_000;
const FAUCET_TIMEOUT_MS = 60_000;
const POLL_MS = 250;

/**
 * Creates a wallet with SOL from the faucet of a development cluster, such as the cluster of `npm start`. Resolves when
 * the SOL is finalized.
 *
 * @throws ServiceError INVALID_ARGUMENT for `lamports`, or for `deployment.rpcUrl` if the cluster has no faucet;
 *   GENESIS_HASH_MISMATCH, RPC_ERROR, ABORTED, and TIMEOUT if the SOL has not arrived after a minute
 * @example
 * const issuer = await fundedWallet(deployment);
 */
export async function fundedWallet(
  deployment: Deployment,
  options: FundedWalletOptions = {},
): Promise<KeyPairSigner> {
  const wallet = await generateKeyPairSigner();
  const untilFunded = await requestSol(deployment, wallet.address, options);
  await untilFunded();
  return wallet;
}

/**
 * Requests SOL from the faucet, and returns a function that waits until the SOL is finalized. Both throw what
 * {@link fundedWallet} throws.
 */
export async function requestSol(
  deployment: Deployment,
  wallet: Address,
  { lamports: requested = ONE_SOL, signal }: FundedWalletOptions,
): Promise<() => Promise<void>> {
  if (typeof requested !== 'bigint' || requested <= 0n) {
    throw invalidArgument('lamports', 'lamports must be a bigint above zero.');
  }
  await checkCluster(deployment, signal);
  const { rpcUrl } = deployment;
  const rpc = rpcOf(deployment);
  const airdrop = await callRpc('requestAirdrop', signal, async (options) => {
    try {
      return await rpc.requestAirdrop(wallet, lamports(requested)).send(options);
    } catch (error) {
      if (!isMissingMethod(error)) throw error;
      const message = `The cluster at ${rpcUrl} has no faucet. Use a development cluster, such as the cluster of npm start.`;
      throw invalidArgument('deployment.rpcUrl', message, error);
    }
  });
  const what = `The wait for SOL from the faucet at ${rpcUrl}`;
  return () =>
    withTimeout({ what, timeoutMs: FAUCET_TIMEOUT_MS, signal }, async (stop) => {
      for (;;) {
        // The balance would not do, because the wallet may have SOL already, or spend some meanwhile.
        const { value } = await callRpc('getSignatureStatuses', stop, (options) =>
          rpc.getSignatureStatuses([airdrop], { searchTransactionHistory: true }).send(options),
        );
        if (value[0]?.confirmationStatus === 'finalized') return;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        stop.throwIfAborted();
      }
    });
}

/**
 * Checks that the RPC of a deployment serves the deployment's cluster.
 *
 * @throws ServiceError GENESIS_HASH_MISMATCH, RPC_ERROR, ABORTED
 */
export async function checkCluster(
  deployment: Pick<Deployment, 'rpcUrl' | 'genesisHash'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { genesisHash: expected } = deployment;
  const rpc = rpcOf(deployment);
  const received = await callRpc('getGenesisHash', signal, (options) => rpc.getGenesisHash().send(options));
  if (received === expected) return;
  throw new ServiceError('GENESIS_HASH_MISMATCH', {
    message: `The RPC serves the cluster ${received}, but the deployment pins ${expected}. Point rpcUrl at the right cluster.`,
    context: { source: 'rpc', expected, received },
  });
}

function rpcOf({ rpcUrl }: Pick<Deployment, 'rpcUrl'>) {
  // devnet() only gives the RPC the type of one that may have a faucet.
  return createSolanaRpc(devnet(rpcUrl));
}

async function callRpc<T>(
  method: string,
  signal: AbortSignal | undefined,
  send: (options: { abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  try {
    return await withTimeout({ what: method, timeoutMs: RPC_TIMEOUT_MS, signal }, (abortSignal) =>
      send({ abortSignal }),
    );
  } catch (cause) {
    if (isServiceError(cause) && cause.code !== 'TIMEOUT') throw cause;
    const message = `${method} failed at the RPC of the deployment. Check its rpcUrl and try again.`;
    throw new ServiceError('RPC_ERROR', { message, context: {}, cause });
  }
}

/** Nodes without a faucet either do not know the method or call the request invalid. */
function isMissingMethod(error: unknown): boolean {
  return (
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND) ||
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_REQUEST)
  );
}

/** Creates the error for an argument that cannot be used. */
export function invalidArgument(field: string, message: string, cause?: unknown): ServiceError {
  return new ServiceError('INVALID_ARGUMENT', {
    message,
    context: { field },
    ...(cause === undefined ? {} : { cause }),
  });
}
