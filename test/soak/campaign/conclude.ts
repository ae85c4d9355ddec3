/** The end of a campaign: waits until the service is quiet, and judges what is left. */
import type { Database } from '@service/server';
import { type Judgement, judge } from '../check/judge.ts';
import { readHistory, readRecords } from '../check/read-history.ts';
import { waitUntilQuiet } from '../check/wait-until-quiet.ts';
import type { Scene } from '../load/actors.ts';
import type { EventReceiver } from '../system/event-receiver.ts';

/** The most milliseconds until the service is quiet, and then until all records are read. */
const MOST_WAIT_MS = 120_000;

/** Options of the end of a campaign. */
export interface ConcludeOptions {
  readonly metricsUrl: string;
  readonly receiver: EventReceiver;
  /** Returns the database when the records have been read. */
  openDatabase(): Promise<Database>;
  readonly print: (line: string) => void;
}

/** Judges a campaign whose load and faults have ended. */
export async function conclude(
  scene: Scene,
  { metricsUrl, receiver, openDatabase, print }: ConcludeOptions,
): Promise<Judgement> {
  const { chain, journal } = scene;
  const within = (ms: number) => ({ ...scene.service, signal: AbortSignal.timeout(ms) });
  const began = performance.now();
  const isQuiet = await waitUntilQuiet(journal, {
    over: within(MOST_WAIT_MS),
    metricsUrl,
    receiver,
    ms: MOST_WAIT_MS,
  });
  print(`${isQuiet ? 'quiet' : 'NOT quiet'} after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  const records = await readRecords(journal, within(MOST_WAIT_MS));
  const database = await openDatabase();
  try {
    // Nothing is broadcast any more, so everything that landed is final after these slots.
    chain.net.finalize();
    return judge(await readHistory(chain, journal, { records, database, receiver }));
  } finally {
    await database.close();
  }
}
