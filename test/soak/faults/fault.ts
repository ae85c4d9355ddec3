/** Faults that a campaign injects. */

import type { Hindrance } from '../check/clear-time.ts';
import type { Random } from '../random.ts';
import type { DatabasePair } from '../system/database/database.ts';
import type { EventReceiver } from '../system/event-receiver.ts';
import type { Replica } from '../system/replica.ts';
import type { RpcProxy } from '../system/rpc/rpc-proxy.ts';
import { pause } from '../wait.ts';

/** The parts of a running system that faults change. */
export interface Target {
  readonly replicas: readonly Replica[];
  /** One for each replica, then the RPC that all have as their other one. */
  readonly rpcs: readonly RpcProxy[];
  readonly database: DatabasePair;
  readonly receiver: Pick<EventReceiver, 'fail'>;
}

/** One kind of fault. */
export interface FaultKind {
  readonly name: string;
  /** At most one fault of an area that is not null happens at once. */
  readonly area: 'database server' | 'database connections' | 'processes' | 'receiver' | null;
  /**
   * Milliseconds in which it hinders operations after its end, such as by a lease of a killed process; null if it hinders none.
   * @default {@link HINDERS_MS}
   */
  readonly hindersMs?: number | null;
  /** Injects it, waits, and ends it. `random` chooses what it hits. */
  inject(target: Target, options: { readonly ms: number; readonly random: Random }): Promise<void>;
}

/** Longer than a lease, and than connections are silent before they are closed. */
const HINDERS_MS = 40_000;

/** Injects a fault, and notes when it hinders operations. */
export async function injectNoted(
  kind: FaultKind,
  on: Target,
  {
    hindrances,
    ...options
  }: { readonly hindrances: Hindrance[]; readonly ms: number; readonly random: Random },
): Promise<void> {
  const { hindersMs = HINDERS_MS } = kind;
  const hindrance: Hindrance = { from: performance.now(), to: Infinity };
  if (hindersMs !== null) hindrances.push(hindrance);
  await kind.inject(on, options);
  hindrance.to = performance.now() + (hindersMs ?? 0);
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
