/** What a campaign prints: its faults and their counts, what it found, and the last line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countOf, type Judgement } from '../check/judge.ts';
import type { Journal } from '../load/journal.ts';
import type { UnexpectedExit } from '../system/replica.ts';

/** The seconds that a server took to work again. */
export interface BackAfter {
  readonly replica: string;
  /** The faults that had just ended. */
  readonly faults: readonly string[];
  readonly seconds: number;
}

/** Everything that a campaign found. */
export interface CampaignResult {
  readonly seed: number;
  /** How often each fault was injected. */
  readonly faults: ReadonlyMap<string, number>;
  readonly judgement: Judgement;
  readonly exits: readonly UnexpectedExit[];
  readonly back: readonly BackAfter[];
  readonly journal: Journal;
  /** The folder of the details and of the servers' logs. */
  readonly folder: string;
}

/** Returns the lines to print. The last one has the counts. */
export function reportOf({
  seed,
  faults,
  judgement,
  exits,
  back,
  journal,
  folder,
}: CampaignResult): string[] {
  const kinds = [...faults].sort(([a], [b]) => a.localeCompare(b));
  const slowest = back.toSorted((a, b) => b.seconds - a.seconds);
  const unasked = exits.filter(({ hadListened }) => hadListened);
  const counts = (['lost', 'doubled', 'stuck', 'wrong'] as const).map(
    (fault) => `${countOf(judgement, fault)} ${fault}`,
  );
  const most = slowest[0]?.seconds ?? 0;
  return [
    `faults injected (seed ${seed}):`,
    ...kinds.map(([name, count]) => `${String(count).padStart(6)}  ${name}`),
    `${String(sum(kinds.map(([, count]) => count))).padStart(6)}  in all`,
    'slowest to work again:',
    ...slowest
      .slice(0, 5)
      .map(
        (each) => `${each.seconds.toFixed(1).padStart(6)} s  ${each.replica} after ${each.faults.join(', ')}`,
      ),
    'responses that the load did not expect:',
    ...[...journal.surprises].map(([what, count]) => `${String(count).padStart(6)}  ${what}`),
    `${exits.length - unasked.length} starts failed while a dependency was down`,
    ...unasked.map(({ replica, code }) => `${replica} ended with ${code}, and nobody asked for it`),
    ...judgement.findings.slice(0, 20).map(({ fault, what }) => `${fault}: ${what}`),
    `${judgement.final} of ${judgement.acknowledged} acknowledged are final; details and logs: ${folder}`,
    `${judgement.acknowledged} acknowledged, ${counts.join(', ')}, ${unasked.length} exits; back after at most ${most.toFixed(1)} s`,
  ];
}

/** Returns whether the service kept all of its promises. */
export function isClean({ judgement, exits }: Pick<CampaignResult, 'judgement' | 'exits'>): boolean {
  return judgement.findings.length === 0 && exits.every(({ hadListened }) => !hadListened);
}

/** Writes the details into the folder. */
export function writeDetails(result: CampaignResult): void {
  const { journal, judgement, exits, back, seed, folder } = result;
  const operations = journal.operations.map(({ id, kind, client, isAcknowledged }) => {
    return { id, kind, wallet: client.address, isAcknowledged };
  });
  const details = { seed, findings: judgement.findings, exits, back, operations, messages: journal.messages };
  const withBigints = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value;
  writeFileSync(join(folder, 'details.json'), JSON.stringify(details, withBigints, 1));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
