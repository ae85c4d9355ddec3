/**
 * Takes each trust check out of the client, one at a time, and plays the hostile modes that come by it until one is
 * told from the truth no more. A check that nobody misses is a survivor, and fails the campaign.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Case, casesOf } from '../cases/index.ts';
import type { Modules, Players } from '../support/play.ts';
import { Secrets } from '../support/secrets.ts';
import { type Stage, setStage } from '../support/stage.ts';
import { EQUIVALENT } from './equivalent.ts';
import { CHECKED_FILES } from './files.ts';
import { makeSwitchable } from './find-checks.ts';
import type { CheckSwitch } from './switch.ts';

const checkSwitch = (globalThis as unknown as { __check: CheckSwitch }).__check;
const { setTimeout: realTimeout, clearTimeout: clearRealTimeout } = globalThis;
/** Milliseconds after which a case without its check is taken for one that does not end. */
const MOST_MS = 5_000;

const checks = CHECKED_FILES.flatMap((file) => makeSwitchable(file, readFileSync(file, 'utf8')).checks);
let stage: Stage;
let players: Players;
let cases: readonly Case[];

async function load(): Promise<Modules> {
  const [sdk, testing] = await Promise.all([import('@service/sdk'), import('@service/testing')]);
  return { sdk, testing };
}

beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation(() => undefined);
  }
  const secrets = new Secrets({ isSearching: false });
  stage = await setStage(secrets);
  players = { stage, secrets, modules: await load() };
  cases = casesOf(players.modules.testing.HOSTILE_MODES);
});
afterAll(() => stage?.close());

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Plays a case with a check out, or with all of them; says what failed. */
async function play(each: Case, off: string | null): Promise<string | null> {
  // What was checked once is kept by its digest: each of these needs a memory of its own.
  if (each.isFresh) {
    vi.resetModules();
    players = { ...players, modules: await load() };
  }
  checkSwitch.off = off;
  checkSwitch.passed.clear();
  checkSwitch.refused.clear();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise<never>((_resolve, reject) => {
      timer = realTimeout(() => reject(new Error('it does not end')), off === null ? 12 * MOST_MS : MOST_MS);
    });
    await Promise.race([each.play(players), late]);
    return null;
  } catch (error) {
    return String((error as Error).message ?? error)
      .split('\n')[0]!
      .slice(0, 90);
  } finally {
    clearRealTimeout(timer);
    checkSwitch.off = null;
  }
}

it('every trust check is missed when it is out', async () => {
  const seen = new Map<string, { each: Case; ms: number; refused: boolean }[]>();
  for (const each of cases) {
    const start = process.hrtime.bigint();
    const failure = await play(each, null);
    if (failure) throw new Error(`${each.id} fails with every check in: ${failure}`);
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    for (const id of checkSwitch.passed) {
      const list = seen.get(id) ?? [];
      list.push({ each, ms, refused: checkSwitch.refused.has(id) });
      seen.set(id, list);
    }
  }
  say(
    `${cases.length} cases pass with every check in; ${checks.length} checks in ${CHECKED_FILES.length} files`,
  );

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
    // Those in which it refused something miss it most; the quick ones first.
    const candidates = (seen.get(id) ?? []).sort(
      (a, b) => Number(b.refused) - Number(a.refused) || a.ms - b.ms,
    );
    let killer: string | null = null;
    for (const { each } of candidates) {
      if (!(await play(each, id))) continue;
      // A case that fails anyway misses nothing.
      const failure = await play(each, null);
      if (failure) throw new Error(`${each.id} fails with every check in, after ${id}: ${failure}`);
      killer = each.id;
      break;
    }
    if (killer) killers[id] = killer;
    else survivors.push(`${id} (${candidates.length} cases come by): ${text}`);
    say(
      `${killer ? 'killed  ' : 'SURVIVED'} ${id} ${killer ? `by ${killer}` : `${candidates.length} cases come by: ${text}`}`,
    );
  }
  say(`${Object.keys(killers).length} killed, ${equivalent} equivalent, ${survivors.length} survived`);
  if (process.env.CHECKS_MUTATE_REPORT)
    writeFileSync(process.env.CHECKS_MUTATE_REPORT, JSON.stringify(killers, null, 1));
  expect(survivors, 'checks that nobody misses').toEqual([]);
  expect([...unused], 'arguments for checks that there are not').toEqual([]);
});
