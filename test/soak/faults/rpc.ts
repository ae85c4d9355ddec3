/** Faults of the RPC, and of the cluster behind it. */

import type { Random } from '../random.ts';
import { CURRENT, type NodeState } from '../system/rpc/alter.ts';
import type { BroadcastFault, RpcProxy, TransportFault } from '../system/rpc/rpc-proxy.ts';
import { during, type FaultKind, type Target } from './fault.ts';

const LAGGING: NodeState = { ...CURRENT, lag: 15n };
const PRUNED: NodeState = { ...CURRENT, history: 20n };
const WITHOUT_STATUSES: NodeState = { ...CURRENT, hasNoStatuses: true };

/** Returns one RPC, those that servers have as their first one, or all. */
function hitBy({ rpcs }: Target, random: Random): readonly RpcProxy[] {
  return random.pick([[random.pick(rpcs)], rpcs.slice(0, -1), rpcs]);
}

const transport = (fault: TransportFault): FaultKind => ({
  name: `RPC: ${fault}`,
  area: null,
  inject(target, { ms, random }) {
    const hit = hitBy(target, random);
    const probability = random.pick([0.3, 0.6, 1]);
    return during(
      ms,
      () => {
        for (const { faults } of hit) faults.transport.set(fault, probability);
      },
      () => {
        for (const { faults } of hit) faults.transport.delete(fault);
      },
    );
  },
});

const nodes = (name: string, states: readonly NodeState[]): FaultKind => ({
  name: `RPC: ${name}`,
  area: null,
  inject(target, { ms, random }) {
    const hit = hitBy(target, random);
    const set = (to: readonly NodeState[]) => {
      for (const { faults } of hit) faults.nodes = to;
    };
    return during(
      ms,
      () => set(states),
      () => set([CURRENT]),
    );
  },
});

const broadcast = (fault: BroadcastFault, name: string): FaultKind => ({
  name: `RPC: ${name}`,
  area: null,
  hindersMs: 0,
  inject(target, { ms, random }) {
    const hit = hitBy(target, random);
    const set = (to: BroadcastFault | null) => {
      for (const { faults } of hit) faults.broadcast = to;
    };
    return during(
      ms,
      () => set(fault),
      () => set(null),
    );
  },
});

/** Every broadcast of every server is lost for a time. */
export const allBroadcastsLost: FaultKind = {
  name: 'RPC: all broadcasts lost',
  area: null,
  hindersMs: 0,
  inject: ({ rpcs }, { ms }) => {
    const set = (to: BroadcastFault | null) => {
      for (const { faults } of rpcs) faults.broadcast = to;
    };
    return during(
      ms,
      () => set('lost'),
      () => set(null),
    );
  },
};

/** The faults that rounds contain. */
export const rpcFaults: readonly FaultKind[] = [
  transport('time-out'),
  transport('reset'),
  transport('status 429'),
  transport('status 5xx'),
  transport('broken JSON'),
  transport('HTML with status 200'),
  transport('lost response'),
  nodes('lagging, with stale slots', [LAGGING]),
  nodes('null statuses', [WITHOUT_STATUSES]),
  nodes('history pruned', [PRUNED]),
  nodes('balancer of different nodes', [CURRENT, LAGGING, PRUNED]),
  broadcast('lost', 'broadcasts lost'),
  broadcast('doubled', 'broadcasts doubled'),
  broadcast('fork', 'fork that drops confirmed transactions'),
];
