/** Clients that standard tools generate from the served OpenAPI document work without changes. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { startWorld, type Visitor, type World } from '@service/server/test-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Done } from './clients/site.ts';
import { COMPILED, type GeneratedClients, generateClients, TOOLS } from './generated-clients.ts';

let world: World;
let baseUrl: string;
/** The text of the document that the service serves. */
let document: string;
let clients: GeneratedClients;

beforeAll(async () => {
  world = await startWorld();
  ({ url: baseUrl } = await world.created.listen({ port: 0 }));
  document = await (await world.created.app.request('/api/openapi.json')).text();
  clients = await generateClients(document);
});
afterAll(async () => {
  await clients?.remove();
  await world?.close();
});

const linted = async (source: string) => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ severity, ruleId, message, location }) => ({
    severity,
    ruleId,
    message,
    at: location[0]?.pointer,
  }));
};

describe('the document', () => {
  it('has no error and no warning of redocly', async () => {
    const problems = await linted(document);
    // Liveness and readiness reject no request, so they have no 4xx.
    const ofHealth = problems.filter(
      ({ ruleId, at }) => ruleId === 'operation-4xx-response' && /api~1health/.test(at ?? ''),
    );
    expect(ofHealth).toHaveLength(2);
    expect(problems.filter((each) => !ofHealth.includes(each))).toEqual([]);
  });

  it('is really checked: a wrong example is found', async () => {
    const wrong = document.replace('"challengeId":"', '"challengeId":12,"was":"');
    expect(wrong).not.toBe(document);
    expect(await linted(wrong)).not.toEqual([]);
  });

  it('has no parameter that only a browser can set', () => {
    const { components, paths } = JSON.parse(document) as Record<'components' | 'paths', object>;
    expect(JSON.stringify({ components, paths })).not.toMatch(/"name":"(Origin|Cookie)"/i);
  });
});

// The compiler blocks the process for seconds, in which the server closes idle connections. So it comes before all requests.
it.each(COMPILED)('the client of %s compiles, and its operation narrows by its state', (tool) => {
  expect(clients.compile(tool)).toEqual([]);
});

describe.each(TOOLS)('the client of %s', (tool) => {
  it('signs in, reads, and brings an operation to its final state', async () => {
    const visitor = await world.visitor();
    const { run } = await clients.load(tool);
    const { servers } = JSON.parse(document) as { servers: [{ url: string }] };
    const site = { baseUrl, origin: servers[0].url, pause: () => world.finalize() };
    const done: Done = await run(site, walletOf(visitor));
    expect(done).toMatchObject({
      wallet: visitor.address,
      program: world.program,
      ruleSets: expect.arrayContaining([expect.stringMatching(/^By /)]),
      refused: 'NOT_FOUND',
    });
    expect(done.states.slice(0, 2)).toEqual(['DRAFT', 'QUEUED']);
    expect(done.states.at(-1)).toBe('FINALIZED');
    expect(done.slot).toBeGreaterThan(0n);
  });
});

const walletOf = (visitor: Visitor) => ({
  address: visitor.address,
  signMessage: (text: string) => visitor.sign(text),
  signTransaction: (transaction: string) => visitor.signTransaction(transaction),
});
