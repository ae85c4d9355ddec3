/** Injects the faults of a campaign: rounds of faults, long faults besides, and after each round a measurement of every server. */

import type { Hindrance } from '../check/clear-time.ts';
import { MOST_SECONDS, secondsUntilBack } from '../check/probe.ts';
import { databaseFaults } from '../faults/database.ts';
import { type FaultKind, injectNoted, type Target } from '../faults/fault.ts';
import { longFaults, processFaults } from '../faults/process.ts';
import { receiverFaults } from '../faults/receiver.ts';
import { allBroadcastsLost, rpcFaults } from '../faults/rpc.ts';
import type { Scene } from '../load/actors.ts';
import { createRandom, type Random } from '../random.ts';
import type { EventReceiver } from '../system/event-receiver.ts';
import type { Replica } from '../system/replica.ts';
import { pause } from '../wait.ts';
import type { BackAfter } from './report.ts';
import { type PlannedFault, rounds } from './rounds.ts';

/** Milliseconds that a process is frozen: longer than its leases of 30 s. */
const FROZEN_MS = 38_000;
const WRONG_CLOCK_MS = 10_000;
/** Milliseconds of the one fault before the rounds, and of the calm after it, in which the service must repair what was lost. */
const [LOST_MS, CALM_MS] = [2_000, 6_000];

/** Options of `injectFaults`. */
export interface InjectOptions {
  readonly target: Target;
  readonly scene: Scene;
  readonly random: Random;
  readonly seconds: number;
  /** Injects only faults whose names contain one of these texts; empty for all. */
  readonly only: readonly string[];
  readonly receiver: EventReceiver;
  readonly print: (line: string) => void;
}

/**
 * Injects faults until the time is over. Returns how often each was injected, when they hindered operations, and what was
 * measured.
 */
export async function injectFaults({ target, scene, random, seconds, only, receiver, print }: InjectOptions) {
  const isChosen = ({ name }: FaultKind) =>
    only.length === 0 || only.some((text) => name.toLowerCase().includes(text.toLowerCase()));
  const hindrances: Hindrance[] = [];
  const { replicas, database } = target;
  const end = performance.now() + seconds * 1_000;
  const left = () => Math.max(0, end - performance.now());
  const faults = new Map<string, number>();
  const back: BackAfter[] = [];
  const inject = async ({ kind, forMs, seed, afterMs }: PlannedFault, on: Target) => {
    await pause(afterMs);
    faults.set(kind.name, (faults.get(kind.name) ?? 0) + 1);
    await injectNoted(kind, on, { hindrances, ms: forMs, random: createRandom(seed) });
  };
  const measure = async (replica: Replica, names: readonly string[]) => {
    const took = (await secondsUntilBack(scene, replica.url)) ?? MOST_SECONDS;
    back.push({ replica: replica.name, faults: names, seconds: took });
    return took;
  };

  /** The server that has a long fault, and the end of that fault. */
  let hit: Replica | null = null;
  let long = Promise.resolve();
  let turn = 0;
  /** Begins the next long fault. It does so at the start of a round, so that no measurement waits for a frozen server. */
  const beginLong = () => {
    const kind = longFaults[turn % longFaults.length]!;
    const forMs = turn % longFaults.length === 0 ? FROZEN_MS : WRONG_CLOCK_MS;
    if (hit || left() < forMs || replicas.length === 1 || !isChosen(kind)) return;
    const chosen = random.pick(replicas);
    hit = chosen;
    turn += 1;
    long = inject({ kind, forMs, afterMs: 0, seed: 0 }, { ...target, replicas: [chosen] }).then(async () => {
      await chosen.untilLive();
      hit = null;
    });
  };

  await inject({ kind: allBroadcastsLost, forMs: LOST_MS, afterMs: 0, seed: 0 }, target);
  receiver.setCalm(true);
  await pause(CALM_MS);
  receiver.setCalm(false);
  let number = 0;
  const kinds = [...processFaults, ...databaseFaults, ...rpcFaults, ...receiverFaults].filter(isChosen);
  for (const round of rounds(kinds, random)) {
    if (left() === 0) break;
    number += 1;
    // A pause between the long faults, in which all servers are measured.
    if (number % 3 > 0) beginLong();
    const others = replicas.filter((replica) => replica !== hit);
    const names = round.map(({ kind }) => kind.name);
    await Promise.all(round.map((planned) => inject(planned, { ...target, replicas: others })));
    await database.endFaults();
    const took = await Promise.all(others.map((replica) => measure(replica, names)));
    const acknowledged = scene.journal.operations.filter(({ isAcknowledged }) => isAcknowledged).length;
    const withLong = hit ? `, while ${(hit as Replica).name} has a long fault` : '';
    print(
      `round ${number}: ${names.join(', ')}${withLong}; back after ${Math.max(...took).toFixed(1)} s; ${acknowledged} operations acknowledged; ${(left() / 1_000).toFixed(0)} s left`,
    );
  }
  await long;
  await Promise.all(replicas.map((replica) => measure(replica, ['all faults'])));
  return { faults, back, hindrances };
}
