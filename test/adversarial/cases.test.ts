/** Plays hostile wallets, nodes, callers and records. The client must reject each. */

import * as sdk from '@service/sdk';
import * as testing from '@service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RUNS_ALL, sampled } from '../support/sample.ts';
import { casesOf } from './cases/index.ts';
import { Secrets } from './support/secrets.ts';
import { type Stage, setStage } from './support/stage.ts';

const secrets = new Secrets();
let stage: Stage;

beforeAll(async () => {
  stage = await setStage(secrets);
});
afterAll(async () => {
  await stage?.close();
  await sdk.disposeProver();
});

it.each(sampled(casesOf([])).map((each) => [each.id, each] as const))('%s', (_id, each) =>
  each.play({ stage, secrets, modules: { sdk, testing } }),
);

it('cookies, signatures and witness are in no error and no log of these tests', () => {
  for (const line of stage.world.logged) secrets.search('the service’s log', line);
  expect(secrets.found).toEqual([]);
  // A search without secrets or without texts would prove nothing.
  expect(secrets.count('cookie')).toBeGreaterThan(RUNS_ALL ? 5 : 0);
  expect(secrets.count('witness')).toBe(3);
  expect(secrets.searched).toBeGreaterThan(RUNS_ALL ? 300 : 0);
  if (RUNS_ALL) expect(secrets.count('signature')).toBeGreaterThan(20);
});
