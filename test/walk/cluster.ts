/** What the walk needs from a cluster besides the SDK. Localnet, a test validator and devnet all have it. */
import { type Address, createSolanaRpc, devnet, lamports, type Signature } from '@solana/kit';
import { lamportsOf, type Rpc } from './chain-check.ts';

/** A cluster with a faucet. */
export interface WalkCluster {
  readonly rpc: Rpc;
  /** Requests SOL for new wallets from the faucet. Resolves when each has it at finalized. */
  fund(wallets: readonly Address[], amount: bigint): Promise<void>;
  /** Resolves when a transaction has landed in a block, whether it succeeded or failed. */
  landed(signature: Signature): Promise<void>;
  /** Resolves when a transaction is finalized, whether it succeeded or failed. */
  finalized(signature: Signature): Promise<void>;
}

/** Milliseconds until a wait fails: several times the 13 seconds to finality on a validator. */
const TIMEOUT_MS = 120_000;
const POLL_MS = 100;

/** Connects to the cluster of an RPC. */
export function walkCluster(rpcUrl: string): WalkCluster {
  const rpc = createSolanaRpc(rpcUrl);
  const faucet = createSolanaRpc(devnet(rpcUrl));
  return {
    rpc,
    async fund(wallets, amount) {
      await Promise.all(wallets.map((wallet) => faucet.requestAirdrop(wallet, lamports(amount)).send()));
      for (const wallet of wallets) {
        await until(`the SOL of ${wallet}`, async () => (await lamportsOf(rpc, wallet)) >= amount);
      }
    },
    landed: (signature) =>
      until(`the landing of ${signature}`, async () => {
        const { value } = await rpc.getSignatureStatuses([signature]).send();
        return value[0] !== null;
      }),
    finalized: (signature) =>
      until(`the finality of ${signature}`, async () => {
        const { value } = await rpc.getSignatureStatuses([signature]).send();
        return value[0]?.confirmationStatus === 'finalized';
      }),
  };
}

/** Repeats a check until it is true. Throws after two minutes, or after `timeoutMs`. */
export async function until(
  what: string,
  ask: () => Promise<boolean>,
  { timeoutMs = TIMEOUT_MS, pollMs = POLL_MS } = {},
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
