import { type Stack, startStack } from '@service/development';
import { disposeProver, ServiceClient } from '@service/sdk';
import { newTestPlace, type TestPlace } from '@service/server/test-database';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walk } from '../walk/walk.ts';
import { VisitedRoutes } from './support/visited-routes.ts';

const visited = new VisitedRoutes();
const steps: string[] = [];
let place: TestPlace;
let stack: Stack;

beforeAll(async () => {
  place = await newTestPlace();
  stack = await startStack({
    database: place.options,
    ports: { site: 0, rpc: 0, verifier: 0 },
    slotMs: 100,
    finalitySlots: 2,
    pollIntervalMs: 20,
    log: pino({ level: 'silent' }),
    // A watched body is a branch of two; the verifier cancels what it does not read, which needs one of its own.
    webhookFetch: async (input, init) => {
      const response = await visited.fetch(input, init);
      return new Response(await response.arrayBuffer(), response);
    },
  });
});

afterAll(async () => {
  await disposeProver();
  await stack.close();
  await place.drop();
});

test('the whole service, through the SDK, every step checked on chain', { timeout: 120_000 }, async () => {
  await walk({
    deployment: stack.deployment,
    fetch: visited.fetch,
    report: { waiting: () => undefined, done: ({ what, state }) => steps.push(`${state}: ${what}`) },
  });
  expect(steps).toHaveLength(21);
});

test('every route of the contract has answered with a body of its schema', async () => {
  const { baseUrl } = stack.deployment;
  const client = new ServiceClient({ deployment: stack.deployment, baseUrl, fetch: visited.fetch });
  const { generateKeyPairSigner } = await import('@solana/kit');
  const wallet = await generateKeyPairSigner();
  await client.config();
  expect((await client.network()).governance?.paused).toBe(false);
  const names: string[] = [];
  for await (const ruleSet of client.ruleSets()) names.push(ruleSet.name);
  expect(names).toEqual(['EU professionals']);
  await client.authenticate(wallet, stack.deployment.genesisHash);
  expect(await client.passport()).toMatchObject({ wallet: wallet.address, credential: null, passes: [] });
  await client.logout();
  await visited.fetch(`${baseUrl}/api/health/live`);
  await visited.fetch(`${baseUrl}/api/health/ready`);
  expect(visited.missing()).toEqual([]);
});
