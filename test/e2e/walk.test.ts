import type { Stack } from '@service/development';
import { disposeProver, ServiceClient } from '@service/sdk';
import { newTestPlace, type TestPlace } from '@service/server/test-database';
import { fundedWallet } from '@service/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { payingWallet } from '../support/paying-wallet.ts';
import { startQuickStack } from '../support/quick-stack.ts';
import { RUNS_ALL } from '../support/sample.ts';
import { applyRule } from '../walk/binding-changes.ts';
import { issuerWalk } from '../walk/issuer-walk.ts';
import { personsWalk } from '../walk/persons-walk.ts';
import { walk } from '../walk/walk.ts';
import type { DeskState, WalkState } from '../walk/walk-state.ts';
import { VisitedRoutes } from './support/visited-routes.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const visited = new VisitedRoutes();
const steps: string[] = [];
let place: TestPlace;
let stack: Stack;
let walked: WalkState;
let desk: DeskState;

beforeAll(async () => {
  place = await newTestPlace();
  stack = await startQuickStack({
    database: place.options,
    // The verifier does not read the body, and a clone that is not read would hold it back: give it a copy.
    webhookFetch: async (input, init) => {
      const response = await visited.fetch(input, init);
      return new Response(await response.arrayBuffer(), response);
    },
  });
});

afterAll(async () => {
  await disposeProver();
  await stack?.close();
  await place?.drop();
});

test('every step of the walk succeeds through the SDK and is confirmed on chain', async () => {
  walked = await walk({
    deployment: stack.deployment,
    fetch: visited.fetch,
    report: { waiting: () => undefined, done: ({ what, state }) => steps.push(`${state}: ${what}`) },
  });
  expect(steps).toHaveLength(21);
});

// What other people do after that takes three times as long.
if (RUNS_ALL) {
  test('every step of the issuer after that succeeds and is confirmed on chain', async () => {
    steps.length = 0;
    desk = await issuerWalk(walked, { hasTokenAcl: true });
    expect(steps).toHaveLength(29);
  });

  test('every step of a person with several wallets succeeds and is confirmed on chain', async () => {
    steps.length = 0;
    await personsWalk(walked, { fetch: visited.fetch, skipTime: stack.skipTime });
    expect(steps).toHaveLength(24);
  });

  test('every route of the contract has responded with a body of its schema', async () => {
    const { deployment } = stack;
    const { baseUrl } = deployment;
    const client = new ServiceClient({ deployment, baseUrl, fetch: visited.fetch });
    const wallet = await fundedWallet(deployment);
    await client.config();
    expect((await client.network()).governance?.paused).toBe(false);
    const names: string[] = [];
    for await (const ruleSet of client.ruleSets()) names.push(ruleSet.name);
    expect(names).toEqual(Array(3).fill('EU professionals'));
    await client.authenticate(wallet, deployment.genesisHash);
    expect(await client.passport()).toMatchObject({ wallet: wallet.address, credential: null, passes: [] });
    const ruleSet = {
      name: 'Adults',
      clauses: [{ regions: ['FR'], statuses: ['retail'], minAge: 18 }],
    } as const;
    const prepared = await client.prepare.createRuleSet({ ...ruleSet, maxPassAgeSeconds: 86_400n });
    const paying = payingWallet(wallet, { limit: 200_000, price: 5_000n }).wallet;
    await client.signAndSubmit(paying, prepared, { maxPriorityFeeLamports: 1_000n });
    await client.logout();
    // No client calls it: explorers and other services do.
    const found = await visited.fetch(`${baseUrl}/api/mint-bindings?mint=${walked.mint}`);
    expect(await found.json()).toMatchObject({ binding: { mint: walked.mint, rule: walked.rule } });
    for (const probe of ['live', 'ready']) await visited.fetch(`${baseUrl}/api/health/${probe}`);
    expect(visited.missing()).toEqual([]);
  });

  // Last, because the clock of the service does not move with the chain's.
  test('the announced rule set is applied after seven days', async () => {
    await applyRule(desk, { rule: walked.rule, skipTime: stack.skipTime });
    expect(steps.at(-1)).toBe('FINALIZED: seven days later, the holder applies it');
  });
}
