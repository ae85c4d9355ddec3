/** Plays every hostile mode with the real service on a real cluster. The client must throw the mode's code. */
import { readFileSync } from 'node:fs';
import * as sdk from '@service/sdk';
import * as testing from '@service/testing';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { RUNS_ALL, sampled } from '../support/sample.ts';
import { hostileServicePage } from './support/modes-page.ts';
import type { Players } from './support/play.ts';
import { playMode } from './support/play-mode.ts';
import { Secrets } from './support/secrets.ts';
import { setStage } from './support/stage.ts';

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
  const modes = HOSTILE_MODES.filter((mode) => mode.category === category);

  it.each(sampled(modes).map((mode) => [mode.id, mode] as const))('%s', (_id, mode) =>
    playMode(players, mode, { everyAccount: true }),
  );
});

describe('the list', () => {
  it('has each id once, and a sentence for each', () => {
    const ids = HOSTILE_MODES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, description } of HOSTILE_MODES) {
      expect(id).toMatch(/^[a-z0-9-]+$/);
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe('docs/hostile-service.md', () => {
  it('is current (npm run docs:hostile)', () => {
    const file = new URL('../../docs/hostile-service.md', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(hostileServicePage(HOSTILE_MODES));
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
    expect(secrets.count('witness')).toBe(2);
    expect(logged.length).toBeGreaterThan(RUNS_ALL ? 100 : 0);
    expect(secrets.searched).toBeGreaterThan(RUNS_ALL ? 1_000 : 0);
  });
});
