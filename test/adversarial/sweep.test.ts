/** Plays the sweep with the real service on a real cluster. The client must throw the code of each mode. */
import type { OperationKind } from '@service/contract';
import * as sdk from '@service/sdk';
import * as testing from '@service/testing';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { RUNS_ALL, sampled } from '../support/sample.ts';
import type { Players } from './support/play.ts';
import { kindsOf, playMode } from './support/play-mode.ts';
import { Secrets } from './support/secrets.ts';
import { setStage } from './support/stage.ts';
import { SWEEP } from './sweep/index.ts';
import type { SweepMode } from './sweep/row.ts';

const { HOSTILE_MODES } = testing;
const secrets = new Secrets();
const printed: string[] = [];
let players: Players;

beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
    vi.spyOn(console, method).mockImplementation(
      (...parts) => void printed.push(parts.map(String).join(' ')),
    );
  }
  const stage = await setStage(secrets);
  players = { stage, secrets, modules: { sdk, testing } };
  return () => stage.close();
});

describe.each(['sign-in', 'reads', 'prepare', 'outcome', 'transport'] as const)('%s', (category) => {
  const modes = SWEEP.filter((mode) => mode.category === category);

  it.each(sampled(modes.flatMap(playsOf)))('$title', ({ mode, kind }) =>
    playMode(players, mode, { everyAccount: true, ...(kind && { kinds: [kind] }) }),
  );
});

/** Returns what is played of a mode: each operation kind that it works on, or the call that it attacks. */
function playsOf(mode: SweepMode): { title: string; mode: SweepMode; kind?: OperationKind }[] {
  const kinds = kindsOf(mode);
  if (kinds.length === 0) return [{ title: mode.id, mode }];
  return kinds.map((kind) => ({ title: `${mode.id} (${kind})`, mode, kind }));
}

describe('the list', () => {
  it('has each id once', () => {
    const ids = SWEEP.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+$/);
  });

  it('has sentences for each published mode', () => {
    for (const { description, page } of HOSTILE_MODES) {
      for (const sentence of [description, page]) expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
    const pages = HOSTILE_MODES.map(({ page }) => page);
    expect(new Set(pages).size).toBe(pages.length);
  });
});

describe('cookies, signatures and witness', () => {
  it('are in no error, no output and no log of these tests', () => {
    const { logged } = players.stage.world;
    for (const line of logged) secrets.search('the service’s log', line);
    for (const line of printed) secrets.search('the console', line);
    expect(secrets.found).toEqual([]);
    // A search without secrets or without texts would prove nothing.
    expect(secrets.count('cookie')).toBeGreaterThan(RUNS_ALL ? 10 : 0);
    expect(secrets.count('signature')).toBeGreaterThan(RUNS_ALL ? 10 : 0);
    expect(secrets.count('witness')).toBe(3);
    expect(logged.length).toBeGreaterThan(RUNS_ALL ? 100 : 0);
    expect(secrets.searched).toBeGreaterThan(RUNS_ALL ? 1_000 : 0);
  });
});
