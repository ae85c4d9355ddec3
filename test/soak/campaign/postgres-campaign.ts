/** Three servers on one PostgreSQL with a standby, on a chain behind faulty RPCs. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@service/server';
import { freePort } from '../../e2e/support/child-process.ts';
import { MOST_SECONDS, secondsUntilBack } from '../check/probe.ts';
import { databaseFaults } from '../faults/database.ts';
import type { Target } from '../faults/fault.ts';
import { longFaults, processFaults } from '../faults/process.ts';
import { rpcFaults } from '../faults/rpc.ts';
import type { Scene } from '../load/actors.ts';
import { createJournal } from '../load/journal.ts';
import { createRandom } from '../random.ts';
import { FINALITY_SLOTS, openChain } from '../system/chain.ts';
import { openDatabasePair } from '../system/database/database.ts';
import { ROLE } from '../system/database/postgres.ts';
import { createReplica, type Replica } from '../system/replica.ts';
import { clusterView } from '../system/rpc/cluster-view.ts';
import { openRpcProxy } from '../system/rpc/rpc-proxy.ts';
import { pause } from '../wait.ts';
import { conclude } from './conclude.ts';
import { startLoad } from './load-all.ts';
import type { BackAfter, CampaignResult } from './report.ts';
import { type PlannedFault, rounds } from './rounds.ts';
import { openServing } from './serving.ts';

const SERVERS = 3;
/** Seconds that a process is frozen: longer than its leases of 30 s. */
const FROZEN_MS = 38_000;
const WRONG_CLOCK_MS = 10_000;

/** Options of a campaign. */
export interface CampaignOptions {
  readonly seconds: number;
  readonly seed: number;
  /** An empty folder for data, logs and details. */
  readonly folder: string;
  /** The JavaScript file of the server. */
  readonly serverFile: string;
  readonly print: (line: string) => void;
}

/** Runs the campaign. */
export async function runPostgresCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { seconds, seed, folder, serverFile, print } = options;
  const random = createRandom(seed);
  chmodSync(folder, 0o755);
  const [chain, database] = await Promise.all([
    openChain(),
    openDatabasePair(join(folder, 'database'), SERVERS),
  ]);
  const view = clusterView(chain.net, FINALITY_SLOTS);
  const { verifier, env } = await openServing(chain);
  const rpcs = await Promise.all(
    Array.from({ length: SERVERS + 1 }, (_, index) =>
      openRpcProxy({ rpcUrl: chain.url, view, random: createRandom(seed + index + 1) }),
    ),
  );
  const metricsPorts = await Promise.all(database.proxies.map(freePort));
  const replicas = await Promise.all(
    database.proxies.map((proxy, index) => {
      const own = {
        DATABASE_URL: database.url(proxy),
        RPC_URL: rpcs[index]!.url,
        OTHER_RPC_URLS: rpcs[SERVERS]!.url,
        METRICS_PORT: `${metricsPorts[index]}`,
      };
      return createReplica({
        name: `server-${index + 1}`,
        file: serverFile,
        folder,
        env: { ...env, ...own },
      });
    }),
  );
  const ending = new AbortController();
  const service = {
    urls: replicas.map(({ url }) => url),
    random: createRandom(seed + 100),
    signal: ending.signal as AbortSignal,
  };
  const scene: Scene = { chain, journal: createJournal(), service };
  try {
    for (const replica of replicas) replica.start();
    await Promise.all(replicas.map((replica) => replica.untilLive()));
    const load = await startLoad(scene, { holders: 4, creators: 8, verifiers: 3 });
    print(`the load runs; faults for ${seconds} s (seed ${seed})`);
    const { faults, back } = await injectFaults({ replicas, rpcs, database }, scene, options);
    for (const rpc of rpcs) rpc.heal();
    await pause(1_000);
    ending.abort();
    await load.ended;
    const judgement = await conclude(scene, {
      metricsUrl: `http://127.0.0.1:${metricsPorts[0]}/metrics`,
      openDatabase: () => openDatabase({ url: database.primary.url(ROLE, ROLE) }),
      print,
    });
    const exits = replicas.flatMap((replica) => replica.exits);
    return { seed, faults, back, judgement, exits, journal: scene.journal, folder };
  } finally {
    ending.abort();
    await Promise.all(replicas.map((replica) => replica.stop()));
    for (const each of [...replicas, ...rpcs, verifier]) each.close();
    await database.close();
    await chain.net.stop();
  }

  /** Injects faults until the time is over. Overlaps long faults of one replica with rounds of faults of the others. */
  async function injectFaults(target: Target, probed: Scene, { seconds }: CampaignOptions) {
    const end = performance.now() + seconds * 1_000;
    const left = () => end - performance.now();
    const faults = new Map<string, number>();
    const back: BackAfter[] = [];
    let hit: Replica | null = null;
    const inject = async ({ kind, forMs, seed: own, afterMs }: PlannedFault, on: Target) => {
      await pause(afterMs);
      faults.set(kind.name, (faults.get(kind.name) ?? 0) + 1);
      await kind.inject(on, { ms: forMs, random: createRandom(own) });
    };
    const longTrack = async () => {
      for (let turn = 0; ; turn += 1) {
        const kind = longFaults[turn % longFaults.length]!;
        const forMs = turn % longFaults.length === 0 ? FROZEN_MS : WRONG_CLOCK_MS;
        if (left() < forMs) return;
        hit = random.pick(target.replicas);
        await inject({ kind, forMs, afterMs: 0, seed: 0 }, { ...target, replicas: [hit] });
        await hit.untilLive();
        hit = null;
        await pause(Math.min(8_000, Math.max(0, left())));
      }
    };
    const measure = async (replica: Replica, names: readonly string[]) => {
      const took = await secondsUntilBack(probed, replica.url);
      // It was hit meanwhile.
      if (replica === hit) return;
      back.push({ replica: replica.name, faults: names, seconds: took ?? MOST_SECONDS });
    };
    const long = longTrack();
    let number = 0;
    for (const round of rounds([...processFaults, ...databaseFaults, ...rpcFaults], random)) {
      if (left() < 0) break;
      const others = target.replicas.filter((replica) => replica !== hit);
      const names = round.map(({ kind }) => kind.name);
      await Promise.all(round.map((planned) => inject(planned, { ...target, replicas: others })));
      await target.database.heal();
      await Promise.all(
        others.filter((replica) => replica !== hit).map((replica) => measure(replica, names)),
      );
      const acknowledged = probed.journal.operations.filter(({ isAcknowledged }) => isAcknowledged).length;
      const slowest = Math.max(...back.slice(-others.length).map((each) => each.seconds));
      const frozen = hit ? `; ${(hit as Replica).name} has a long fault` : '';
      number += 1;
      print(
        `round ${number}: ${names.join(', ')}; back after ${slowest.toFixed(1)} s; ${acknowledged} operations acknowledged${frozen}; ${Math.max(0, left() / 1_000).toFixed(0)} s left`,
      );
    }
    await long;
    await Promise.all(target.replicas.map((replica) => measure(replica, ['all faults'])));
    return { faults, back };
  }
}
