/** Three servers on one PostgreSQL with a standby, on a chain behind faulty RPCs. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@service/server';
import { freePort } from '../../e2e/support/child-process.ts';
import type { Scene } from '../load/actors.ts';
import { createJournal, noteSurprise } from '../load/journal.ts';
import { createRandom } from '../random.ts';
import { FINALITY_SLOTS, openChain } from '../system/chain.ts';
import { openDatabasePair } from '../system/database/database.ts';
import { ROLE } from '../system/database/postgres.ts';
import { createReplica } from '../system/replica.ts';
import { clusterView } from '../system/rpc/cluster-view.ts';
import { openRpcProxy } from '../system/rpc/rpc-proxy.ts';
import { pause } from '../wait.ts';
import { conclude } from './conclude.ts';
import { injectFaults } from './inject-faults.ts';
import { startLoad } from './load-all.ts';
import type { CampaignResult } from './report.ts';
import { openServing } from './serving.ts';

/** The load for three servers, and a smaller one for fewer. */
const [LOAD, SMALL_LOAD] = [
  { holders: 4, creators: 8, verifiers: 3 },
  { holders: 0, creators: 6, verifiers: 1 },
] as const;

/** Options of a campaign. */
export interface CampaignOptions {
  readonly seconds: number;
  readonly seed: number;
  /** How many servers run on PostgreSQL. */
  readonly servers: number;
  /** Injects only faults whose names contain one of these texts; empty for all. */
  readonly only: readonly string[];
  /** The most milliseconds at the end until the service is quiet. */
  readonly waitMs: number;
  /** An empty folder for data, logs and details. */
  readonly folder: string;
  /** The JavaScript file of the server. */
  readonly serverFile: string;
  readonly print: (line: string) => void;
}

/** Runs the campaign. */
export async function runPostgresCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { seconds, seed, servers, only, folder, serverFile, print } = options;
  const random = createRandom(seed);
  chmodSync(folder, 0o755);
  const [chain, database] = await Promise.all([
    openChain(),
    openDatabasePair(join(folder, 'database'), servers),
  ]);
  const view = clusterView(chain.net, FINALITY_SLOTS);
  const { verifier, receiver, env } = await openServing(chain);
  const rpcs = await Promise.all(
    Array.from({ length: servers + 1 }, (_, index) =>
      openRpcProxy({ rpcUrl: chain.url, view, random: createRandom(seed + index + 1) }),
    ),
  );
  const metricsPorts = await Promise.all(database.proxies.map(freePort));
  const replicas = await Promise.all(
    database.proxies.map((proxy, index) => {
      const own = {
        DATABASE_URL: database.url(proxy),
        RPC_URL: rpcs[index]!.url,
        OTHER_RPC_URLS: rpcs[servers]!.url,
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
  const journal = createJournal();
  const service = {
    urls: replicas.map(({ url }) => url),
    random: createRandom(seed + 100),
    signal: ending.signal as AbortSignal,
    note: (answer: string) => noteSurprise(journal, answer),
  };
  const scene: Scene = { chain, journal, service };
  try {
    for (const replica of replicas) replica.start();
    await Promise.all(replicas.map((replica) => replica.untilLive()));
    const load = await startLoad(scene, servers === 3 ? LOAD : SMALL_LOAD);
    print(`the load runs; faults for ${seconds} s (seed ${seed})`);
    const target = { replicas, rpcs, database, receiver };
    const injected = await injectFaults({ target, scene, random, seconds, only, receiver, print });
    const { faults, back, hindrances } = injected;
    for (const rpc of rpcs) rpc.endFaults();
    await pause(1_000);
    ending.abort();
    await load.ended;
    const judgement = await conclude(scene, {
      metricsUrl: `http://127.0.0.1:${metricsPorts[0]}/metrics`,
      receiver,
      hindrances,
      waitMs: options.waitMs,
      isGone: view.isGone,
      openDatabase: () => openDatabase({ url: database.primary.url(ROLE, ROLE) }),
      print,
    });
    const exits = replicas.flatMap((replica) => replica.exits);
    return { seed, faults, back, judgement, exits, journal, folder };
  } finally {
    ending.abort();
    await Promise.all(replicas.map((replica) => replica.stop()));
    for (const each of [...replicas, ...rpcs, verifier, receiver]) each.close();
    await database.close();
    await chain.net.stop();
  }
}
