/** The cluster on which a development stack runs: a local chain in this process, or a remote one. */
import type { DeployRpc } from '@service/deploy';
import type { DevelopmentKeys } from '@service/localnet';
import type { Address } from '@solana/kit';

/** A cluster, and the stack's keys on it. */
export interface Cluster {
  /** URL of the RPC, for the service and for clients. */
  readonly rpcUrl: string;
  readonly genesisHash: string;
  readonly keys: DevelopmentKeys;
  /** The RPC for the deployment. */
  readonly rpc: DeployRpc;
  /** Seconds by which the index may be behind: several times the time to finality. */
  readonly maxIndexLagSeconds: number;
  /** Gives an account SOL. Resolves when the account has it at confirmed. */
  fund(address: Address): Promise<void>;
  /** Moves the time of the chain forward, in seconds, if this process runs the chain. */
  skipTime?(seconds: bigint): void;
  /** Stops the chain if this process runs it. */
  close(): Promise<void>;
}
