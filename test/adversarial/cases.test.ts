/** Wallets, nodes, callers and records that are no better than a hostile service: the client sees through each. */
import { afterAll, beforeAll, it } from 'vitest';
import * as sdk from '../../packages/sdk/src/index.ts';
import * as testing from '../../packages/sdk/src/testing/index.ts';
import { casesOf } from './_cases.ts';
import { Secrets } from './_secrets.ts';
import { type Stage, setStage } from './_stage.ts';

const secrets = new Secrets();
let stage: Stage;

beforeAll(async () => {
  stage = await setStage(secrets);
}, 60_000);
afterAll(async () => {
  await stage?.close();
  await sdk.disposeProver();
});

it.each(casesOf([]).map((each) => [each.id, each] as const))('%s', (_id, each) =>
  each.play({ stage, secrets, modules: { sdk, testing } }),
);
