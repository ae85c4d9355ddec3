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
import type { Deployment } from '../../../sdk/src/deployment.ts';
import { ServiceError } from '../../../sdk/src/errors.ts';
import { backoff, type CallOptions, pause } from '../../../sdk/src/lib/deadline.ts';
import { askRpc, chainOf, checkGenesisHash, sendOptions } from '../../../sdk/src/rpc/chain-rpc.ts';

/** Options of {@link fundedWallet}. Not in SPEC.md: for tests. */
export interface FundedWalletOptions extends CallOptions {
  /** What the faucet is asked for, in lamports. @default 1_000_000_000n, which is 1 SOL */
  readonly lamports?: bigint | undefined;
}

/** Lamports that the faucet is asked for unless told otherwise. */
const ONE_SOL = 1_000_000_000n;
/** Milliseconds after which SOL that has not arrived is given up on. */
const PATIENCE_MS = 60_000;

/**
 * A new wallet with SOL from the faucet of a development cluster, such as the one that `npm start` runs. Resolves when
 * the SOL is finalized. Not in SPEC.md: for tests against a running service.
 *
 * @throws ServiceError INVALID_ARGUMENT for `lamports`, or for `deployment.rpcUrl` when the cluster has no faucet;
 *   GENESIS_HASH_MISMATCH, RPC_ERROR, TIMEOUT when the SOL has not arrived after a minute, ABORTED
 * @example
 * const issuer = await fundedWallet(deployment);
 */
export async function fundedWallet(
  deployment: Deployment,
  { lamports: asked, signal }: FundedWalletOptions = {},
): Promise<KeyPairSigner> {
  const wallet = await generateKeyPairSigner();
  await (await askFaucet(deployment, wallet.address, { lamports: asked, signal }))();
  return wallet;
}

/**
 * Asks the faucet for SOL; what it returns waits until the SOL is finalized. Throws as {@link fundedWallet} does.
 */
export async function askFaucet(
  deployment: Deployment,
  wallet: Address,
  { lamports: asked = ONE_SOL, signal }: FundedWalletOptions,
): Promise<() => Promise<void>> {
  if (typeof asked !== 'bigint' || asked <= 0n) {
    throw new ServiceError('INVALID_ARGUMENT', {
      message: 'lamports must be a bigint above zero.',
      context: { field: 'lamports' },
    });
  }
  await checkGenesisHash(chainOf(deployment, undefined), signal);
  // devnet() only tells the types that there may be a faucet.
  const rpc = createSolanaRpc(devnet(deployment.rpcUrl));
  await askRpc('requestAirdrop', signal, async () => {
    try {
      await rpc.requestAirdrop(wallet, lamports(asked)).send(sendOptions(signal));
    } catch (error) {
      throw hasNoFaucet(error) ? noFaucet(deployment, error) : error;
    }
  });
  return async () => {
    const what = 'The wait for the faucet';
    const deadline = performance.now() + PATIENCE_MS;
    for (const delay of backoff({ firstMs: 200, mostMs: 1_000 })) {
      const { value } = await askRpc('getBalance', signal, () =>
        rpc.getBalance(wallet, { commitment: 'finalized' }).send(sendOptions(signal)),
      );
      if (value >= asked) return;
      if (performance.now() > deadline) break;
      await pause(delay, signal, what);
    }
    throw new ServiceError('TIMEOUT', {
      message: `The faucet of ${deployment.rpcUrl} took the request, but ${wallet} has no SOL after ${PATIENCE_MS} ms. Try again.`,
      context: {},
    });
  };
}

/** Nodes without a faucet either do not know the method, or call the request invalid. */
function hasNoFaucet(error: unknown): boolean {
  return (
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND) ||
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_REQUEST)
  );
}

function noFaucet({ rpcUrl }: Deployment, cause: unknown): ServiceError {
  return new ServiceError('INVALID_ARGUMENT', {
    message: `The cluster behind ${rpcUrl} has no faucet. Use a development cluster, such as the one that npm start runs. Nothing was sent.`,
    context: { field: 'deployment.rpcUrl' },
    cause,
  });
}
