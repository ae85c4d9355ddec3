/** Faults of the server processes. */
import { during, type FaultKind } from './fault.ts';

/** Seconds by which a clock is wrong. */
const SHIFT_MS = 100_000;

const killed: FaultKind = {
  name: 'process killed',
  area: 'processes',
  inject: ({ replicas }, { random }) => random.pick(replicas).kill(),
};

const allKilled: FaultKind = {
  name: 'all processes killed',
  area: 'processes',
  inject: async ({ replicas }) => void (await Promise.all(replicas.map((each) => each.kill()))),
};

const paused: FaultKind = {
  name: 'process frozen for seconds',
  area: 'processes',
  inject({ replicas }, { ms, random }) {
    const replica = random.pick(replicas);
    return during(ms, replica.freeze, replica.resume);
  },
};

/** The faults that rounds contain. */
export const processFaults: readonly FaultKind[] = [killed, killed, allKilled, paused];

/** Faults that last for several rounds. Each hits one replica, which no other fault of processes hits meanwhile. */
export const longFaults: readonly FaultKind[] = [
  {
    name: 'process frozen beyond its leases',
    area: 'processes',
    inject: ({ replicas: [replica] }, { ms }) => during(ms, replica!.freeze, replica!.resume),
  },
  ...[SHIFT_MS, -SHIFT_MS].map(
    (shift): FaultKind => ({
      name: `clock ${shift > 0 ? 'ahead' : 'behind'} by 100 s`,
      area: 'processes',
      inject: ({ replicas: [replica] }, { ms }) =>
        during(
          ms,
          () => replica!.restartWithClock(shift),
          () => replica!.restartWithClock(0),
        ),
    }),
  ),
];
