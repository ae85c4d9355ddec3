/** Nodes that answer with less than the newest state. No answer shows anything as final that is not. */
import type { ClusterView } from './cluster-view.ts';

/** A JSON-RPC call. */
export interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** How a node differs from one that has everything. */
export interface NodeState {
  /** Slots by which it is behind. */
  readonly lag: bigint;
  /** Slots of history that it has. */
  readonly history: bigint;
  /** Whether it knows no signature. */
  readonly hasNoStatuses: boolean;
}

/** A node that has everything. */
export const CURRENT: NodeState = { lag: 0n, history: 10_000_000n, hasNoStatuses: false };

interface Status {
  slot: number;
  confirmationStatus: string;
}
type Result = Record<string, never> & { context?: { slot: number }; value?: unknown };

/** Returns the parameters with which a node that is behind reads: its confirmed state is an older one. */
export function paramsAt({ method, params = [] }: Call, node: NodeState): readonly unknown[] {
  if (node.lag === 0n || method === 'sendTransaction' || method === 'simulateTransaction') return params;
  return params.map((param) =>
    isConfig(param) && param.commitment !== undefined && method !== 'getSignaturesForAddress'
      ? { ...param, commitment: 'finalized' }
      : param,
  );
}

/** Returns the error of a node that has not reached the slot that the caller wants; null if it has. */
export function behindError({ params = [] }: Call, node: NodeState, view: ClusterView): object | null {
  const wanted = params.find((param) => isConfig(param) && param.minContextSlot !== undefined);
  const has = view.finalized - node.lag;
  if (node.lag === 0n || !isConfig(wanted) || BigInt(wanted.minContextSlot as number) <= has) return null;
  const data = { contextSlot: Number(has) };
  return { code: -32016, message: 'Minimum context slot has not been reached', data };
}

/** Changes a result to that of a node. */
export function resultAt(
  { method, params = [] }: Call,
  result: unknown,
  node: NodeState,
  view: ClusterView,
): unknown {
  const { lag } = node;
  const isBehind = lag > 0n;
  switch (method) {
    case 'getSlot':
    case 'getBlockHeight':
      return isBehind ? (result as number) - Number(lag) : result;
    case 'getEpochInfo': {
      const { absoluteSlot, blockHeight, ...rest } = result as Record<string, number>;
      const by = Number(lag);
      return { ...rest, absoluteSlot: absoluteSlot! - by, blockHeight: blockHeight! - by };
    }
    case 'getFirstAvailableBlock':
      return Math.max(result as number, Number(view.finalized - node.history));
    case 'getSignatureStatuses':
      return statusesAt(params[0] as string[], result as Result, node, view);
    case 'getSignaturesForAddress':
      return (result as { slot: number }[]).filter(({ slot }) => isKnown(slot, node, view));
    case 'getTransaction':
      return result && isKnown((result as { slot: number }).slot, node, view) ? result : null;
    default:
      return result;
  }
}

/** The methods whose results a node changes. The results of others are forwarded as text, with every digit. */
export const CHANGED_METHODS: ReadonlySet<string> = new Set([
  'getSlot',
  'getBlockHeight',
  'getEpochInfo',
  'getFirstAvailableBlock',
  'getSignatureStatuses',
  'getSignaturesForAddress',
  'getTransaction',
]);

function statusesAt(signatures: string[], result: Result, node: NodeState, view: ClusterView): unknown {
  const slot = Number(view.net.slot - node.lag);
  const finalized = Number(view.finalized - node.lag);
  const value = (result.value as (Status | null)[]).map((status, index) => {
    if (node.hasNoStatuses) return null;
    const fork = view.forkSlotOf(signatures[index]!);
    if (fork !== null && node.lag === 0n) return onFork(Number(fork));
    if (!status || status.slot > slot || status.slot < Number(view.finalized - node.history)) return null;
    const confirmationStatus = status.slot <= finalized ? status.confirmationStatus : 'confirmed';
    return { ...status, confirmationStatus };
  });
  return { ...result, context: { ...result.context, slot }, value };
}

const onFork = (slot: number) => {
  return { slot, confirmations: 1, err: null, status: { Ok: null }, confirmationStatus: 'confirmed' };
};

function isKnown(slot: number, node: NodeState, view: ClusterView): boolean {
  return BigInt(slot) <= view.net.slot - node.lag && BigInt(slot) >= view.finalized - node.history;
}

function isConfig(param: unknown): param is Record<string, unknown> {
  return typeof param === 'object' && param !== null && !Array.isArray(param);
}
