/** One server on a PGlite folder, which is killed again and again, also while it starts. */
import { join } from 'node:path';
import { openDatabase } from '@service/server';
import { freePort } from '../../e2e/support/child-process.ts';
import { MOST_SECONDS, secondsUntilBack } from '../check/probe.ts';
import type { Scene } from '../load/actors.ts';
import { createJournal, noteSurprise } from '../load/journal.ts';
import { createRandom } from '../random.ts';
import { openChain } from '../system/chain.ts';
import { RECEIVER_FAULTS } from '../system/event-receiver.ts';
import { createReplica } from '../system/replica.ts';
import { pause } from '../wait.ts';
import { conclude } from './conclude.ts';
import { startLoad } from './load-all.ts';
import type { CampaignOptions } from './postgres-campaign.ts';
import type { BackAfter, CampaignResult } from './report.ts';
import { openServing } from './serving.ts';

const MOST_KILLS = 200;
/** After so many kills, a whole operation is measured. */
const KILLS_PER_PROBE = 10;

/** Runs the campaign. It ends after its seconds, or after 200 kills. */
export async function runFolderCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { seconds, seed, folder, serverFile, print } = options;
  const random = createRandom(seed);
  const chain = await openChain();
  const { verifier, receiver, env } = await openServing(chain);
  const directory = join(folder, 'database');
  const metricsPort = await freePort();
  const own = { DATA_DIRECTORY: directory, RPC_URL: chain.url, METRICS_PORT: `${metricsPort}` };
  const server = await createReplica({ name: 'server', file: serverFile, folder, env: { ...env, ...own } });
  const ending = new AbortController();
  const journal = createJournal();
  const service = {
    urls: [server.url],
    random: createRandom(seed + 100),
    signal: ending.signal as AbortSignal,
    note: (answer: string) => noteSurprise(journal, answer),
  };
  const scene: Scene = { chain, journal, service };
  const faults = new Map<string, number>();
  const back: BackAfter[] = [];
  try {
    server.start();
    await server.untilLive();
    const load = await startLoad(scene, { holders: 3, creators: 6, verifiers: 2 });
    print(`the load runs; at most ${MOST_KILLS} kills in ${seconds} s (seed ${seed})`);
    const end = performance.now() + seconds * 1_000;
    for (let kills = 1; kills <= MOST_KILLS && performance.now() < end; kills += 1) {
      const isStarting = random.next() < 0.2;
      if (!isStarting) await server.untilLive();
      await pause(random.between(0, isStarting ? 1_000 : 4_000));
      const name = server.isLive ? 'killed while it serves' : 'killed while it starts';
      faults.set(name, (faults.get(name) ?? 0) + 1);
      await server.kill();
      receiver.fail(random.next() < 0.3 ? random.pick(RECEIVER_FAULTS) : null);
      if (kills % KILLS_PER_PROBE > 0) continue;
      const took = await secondsUntilBack(scene, server.url);
      back.push({ replica: server.name, faults: [name], seconds: took ?? MOST_SECONDS });
      const acknowledged = journal.operations.filter(({ isAcknowledged }) => isAcknowledged).length;
      print(`${kills} kills; back after ${took?.toFixed(1)} s; ${acknowledged} operations acknowledged`);
    }
    receiver.fail(null);
    const took = await secondsUntilBack(scene, server.url);
    back.push({ replica: server.name, faults: ['the last kill'], seconds: took ?? MOST_SECONDS });
    ending.abort();
    await load.ended;
    const judgement = await conclude(scene, {
      metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      receiver,
      waitMs: options.waitMs,
      // A killed server keeps its leases for longer than a transaction can land.
      hindrances: [{ from: 0, to: Infinity }],
      isGone: () => false,
      async openDatabase() {
        await server.stop();
        return openDatabase({ directory });
      },
      print,
    });
    return { seed, faults, back, judgement, exits: server.exits, journal, folder };
  } finally {
    ending.abort();
    await server.stop();
    server.close();
    verifier.close();
    receiver.close();
    await chain.net.stop();
  }
}
