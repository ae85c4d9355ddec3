/** The end of a campaign: waits until the service is quiet, and judges what is left. */
import type { Database } from '@service/server';
import { type Judgement, judge } from '../check/judge.ts';
import { type HistoryOptions, readHistory, readRecords } from '../check/read-history.ts';
import { waitUntilQuiet } from '../check/wait-until-quiet.ts';
import type { Scene } from '../load/actors.ts';
import type { EventReceiver } from '../system/event-receiver.ts';
import { becomes } from '../wait.ts';

/** Options of the end of a campaign. */
export interface ConcludeOptions extends Pick<HistoryOptions, 'hindrances' | 'isGone'> {
  readonly metricsUrl: string;
  readonly receiver: EventReceiver;
  /** The most milliseconds until the service is quiet, and then until all records are read. */
  readonly waitMs: number;
  /** Returns the database when the records have been read. */
  openDatabase(): Promise<Database>;
  readonly print: (line: string) => void;
}

/** Judges a campaign whose load and faults have ended. */
export async function conclude(
  scene: Scene,
  { metricsUrl, receiver, openDatabase, print, hindrances, isGone, waitMs }: ConcludeOptions,
): Promise<Judgement> {
  const { chain, journal } = scene;
  const within = (ms: number) => ({ ...scene.service, signal: AbortSignal.timeout(ms) });
  const began = performance.now();
  receiver.setCalm(true);
  // An event that failed twice waits for minutes. The operator of the receiver knows that it works again.
  await becomes(() => askForRedelivery(metricsUrl), { ms: waitMs });
  const isQuiet = await waitUntilQuiet(journal, {
    over: within(waitMs),
    metricsUrl,
    receiver,
    ms: waitMs,
  });
  print(`${isQuiet ? 'quiet' : 'NOT quiet'} after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  const records = await readRecords(journal, within(waitMs));
  const database = await openDatabase();
  try {
    // Nothing is broadcast any more, so everything that landed is final after these slots.
    chain.net.finalize();
    return judge(await readHistory(chain, journal, { records, database, receiver, hindrances, isGone }));
  } finally {
    await database.close();
  }
}

async function askForRedelivery(metricsUrl: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' };
  const url = new URL('/redeliver', metricsUrl);
  const { ok } = await fetch(url, {
    method: 'POST',
    headers,
    body: '{}',
    signal: AbortSignal.timeout(5_000),
  });
  return ok;
}
