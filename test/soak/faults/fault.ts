/** Faults that a campaign injects. */
import type { Random } from '../random.ts';
import type { DatabasePair } from '../system/database/database.ts';
import type { Replica } from '../system/replica.ts';
import type { RpcProxy } from '../system/rpc/rpc-proxy.ts';
import { pause } from '../wait.ts';

/** The parts of a running system that faults change. */
export interface Target {
  readonly replicas: readonly Replica[];
  /** One for each replica, then the RPC that all have as their other one. */
  readonly rpcs: readonly RpcProxy[];
  readonly database: DatabasePair;
}

/** One kind of fault. */
export interface FaultKind {
  readonly name: string;
  /** At most one fault of an area that is not null happens at once. */
  readonly area: 'database server' | 'database connections' | 'processes' | null;
  /** Injects it, waits, and ends it. `random` chooses what it hits. */
  inject(target: Target, options: { readonly ms: number; readonly random: Random }): Promise<void>;
}

/** Injects a fault that is on for a while. `end` always runs. */
export async function during(ms: number, begin: () => unknown, end: () => unknown): Promise<void> {
  try {
    await begin();
    await pause(ms);
  } finally {
    await end();
  }
}
