/** What a campaign prints: its faults and their counts, what it found, and the last line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countOf, FAULTS, type Finding } from '../check/finding.ts';
import type { Judgement } from '../check/judge.ts';
import { BACK_SECONDS } from '../check/probe.ts';
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

/** Returns everything that must not be: what the judge found, servers that were back too late, and exits that the campaign did not cause. */
export function findingsOf({ judgement, back, exits }: CampaignResult): readonly Finding[] {
  const late = back.filter(({ seconds }) => seconds > BACK_SECONDS);
  return [
    ...judgement.findings,
    ...late.map(({ replica, faults, seconds }) => ({
      fault: 'slow returns' as const,
      what: `${replica} was not back ${seconds.toFixed(0)} s after ${faults.join(', ')}`,
    })),
    ...exits
      .filter(({ hadListened }) => hadListened)
      .map(({ replica, code }) => ({ fault: 'exits' as const, what: `${replica} ended with ${code}` })),
  ];
}

/** Returns the lines to print. The last one has the counts. */
export function reportOf(result: CampaignResult): string[] {
  const { seed, faults, judgement, exits, back, journal, folder } = result;
  const kinds = [...faults].sort(([a], [b]) => a.localeCompare(b));
  const slowest = back.toSorted((a, b) => b.seconds - a.seconds);
  const findings = findingsOf(result);
  const counts = FAULTS.map((fault) => `${countOf(findings, fault)} ${fault}`);
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
    'unusual answers:',
    ...[...journal.surprises].map(([what, count]) => `${String(count).padStart(6)}  ${what}`),
    `${exits.filter(({ hadListened }) => !hadListened).length} starts failed while a dependency was down`,
    ...findings.slice(0, 20).map(({ fault, what }) => `${fault}: ${what}`),
    `${judgement.final} of ${judgement.acknowledged} acknowledged are final; details and logs: ${folder}`,
    `${judgement.acknowledged} acknowledged, ${counts.join(', ')}; back after at most ${most.toFixed(1)} s of ${BACK_SECONDS}`,
  ];
}

/** Returns whether the service kept all of its promises. */
export function isClean(result: CampaignResult): boolean {
  return findingsOf(result).length === 0;
}

/** Writes the details into the folder. */
export function writeDetails(result: CampaignResult): void {
  const { journal, exits, back, seed, folder } = result;
  const operations = journal.operations.map(({ id, kind, client, isAcknowledged }) => {
    return { id, kind, wallet: client.address, isAcknowledged };
  });
  const details = { seed, findings: findingsOf(result), exits, back, operations, messages: journal.messages };
  const withBigints = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value;
  writeFileSync(join(folder, 'details.json'), JSON.stringify(details, withBigints, 1));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
