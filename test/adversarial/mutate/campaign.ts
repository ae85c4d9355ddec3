/**
 * Switches off each trust check of the client, one at a time, and plays the cases in which it runs, until one fails. A
 * check without which every case passes is a survivor, and fails the campaign.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it, vi } from 'vitest';
import { type Case, casesOf } from '../cases/index.ts';
import type { Modules, Players } from '../support/play.ts';
import { Secrets } from '../support/secrets.ts';
import { setStage } from '../support/stage.ts';
import { SWEEP } from '../sweep/index.ts';
import { EQUIVALENT } from './equivalent.ts';
import { CHECKED_FILES } from './files.ts';
import { makeSwitchable } from './find-checks.ts';
import type { CheckSwitch } from './switch.ts';

const checkSwitch = (globalThis as unknown as { __check: CheckSwitch }).__check;
const { setTimeout: realTimeout, clearTimeout: clearRealTimeout } = globalThis;
/** Milliseconds after which a case without its check counts as one that does not end. */
const MOST_MS = 5_000;

const checks = CHECKED_FILES.flatMap((file) => makeSwitchable(file, readFileSync(file, 'utf8')).checks);
let players: Players;
let cases: readonly Case[];

const load = async (): Promise<Modules> => ({
  sdk: await import('@service/sdk'),
  testing: await import('@service/testing'),
});

beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation(() => undefined);
  }
  // Searching every error takes longer than the campaign.
  const secrets = Object.assign(new Secrets(), { searchError: () => undefined });
  const stage = await setStage(secrets);
  players = { stage, secrets, modules: await load() };
  cases = casesOf(SWEEP);
  return () => stage.close();
});

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Plays a case with a check switched off, or with all checks. Returns what failed, or null. */
async function play(each: Case, off: string | null): Promise<string | null> {
  // The modules remember what they checked by its digest, so each of these cases needs new instances.
  if (each.isFresh) {
    vi.resetModules();
    players = { ...players, modules: await load() };
  }
  checkSwitch.off = off;
  checkSwitch.passed.clear();
  checkSwitch.rejected.clear();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise<never>((_resolve, reject) => {
      timer = realTimeout(() => reject(new Error('it does not end')), off === null ? 12 * MOST_MS : MOST_MS);
    });
    await Promise.race([each.play(players), late]);
    return null;
  } catch (error) {
    const [line = ''] = String((error as Error).message ?? error).split('\n');
    return line.slice(0, 90);
  } finally {
    clearRealTimeout(timer);
    checkSwitch.off = null;
  }
}

/** Plays a case that must pass with every check. */
async function playHonestly(each: Case, when = ''): Promise<void> {
  const failure = await play(each, null);
  if (failure) throw new Error(`${each.id} fails with every check${when}: ${failure}`);
}

/** Returns the first case that fails without a check and passes with it. */
async function killerOf(id: string, candidates: readonly Case[]): Promise<string | undefined> {
  for (const each of candidates) {
    if (!(await play(each, id))) continue;
    await playHonestly(each, `, after ${id}`);
    return each.id;
  }
}

it('a case fails without each trust check', async () => {
  const seen = new Map<string, { each: Case; ms: number; rejected: boolean }[]>();
  for (const each of cases) {
    const start = process.hrtime.bigint();
    await playHonestly(each);
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    for (const id of checkSwitch.passed) {
      seen.set(id, [...(seen.get(id) ?? []), { each, ms, rejected: checkSwitch.rejected.has(id) }]);
    }
  }
  print(`${cases.length} cases pass; ${checks.length} checks in ${CHECKED_FILES.length} files`);

  const killers: Record<string, string> = {};
  const survivors: string[] = [];
  const unused = new Set(Object.keys(EQUIVALENT));
  let equivalent = 0;
  for (const { id, text } of checks) {
    const key = `${id.replace(/:\d+(\.\d+)?$/, '')} | ${text}`;
    if (EQUIVALENT[key]) {
      unused.delete(key);
      equivalent += 1;
      continue;
    }
    // First the cases in which it rejected something, and the quick ones before the slow ones.
    const candidates = (seen.get(id) ?? [])
      .sort((a, b) => Number(b.rejected) - Number(a.rejected) || a.ms - b.ms)
      .map(({ each }) => each);
    const killer = await killerOf(id, candidates);
    const line = `${id} (runs in ${candidates.length} cases): ${text}`;
    print(killer ? `killed   ${id} by ${killer}` : `SURVIVED ${line}`);
    if (killer) killers[id] = killer;
    else survivors.push(line);
  }
  print(`${Object.keys(killers).length} killed, ${equivalent} equivalent, ${survivors.length} survived`);
  const report = process.env.CHECKS_MUTATE_REPORT;
  if (report) writeFileSync(report, JSON.stringify(killers, null, 1));
  expect(survivors, 'checks without which every case passes').toEqual([]);
  expect([...unused], 'reasons for checks that do not exist').toEqual([]);
});
