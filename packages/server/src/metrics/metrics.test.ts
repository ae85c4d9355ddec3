import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FILE_ROUTES, ROUTES } from '@service/contract';
import { beforeAll, expect, test } from 'vitest';
import { testWorld } from '../../test/support/test-world.ts';
import { addIssuingSession } from '../../test/support/verification/sessions.ts';
import { transition } from '../database/transition.ts';
import { RATE_LIMITS } from '../http/rate-limits.ts';
import { startBackground } from '../lib/background.ts';

const world = testWorld();
let url: string;
beforeAll(async () => {
  ({ url } = await world.created.listenMetrics({ port: 0 }));
});

/** Fetches the metrics. `at` returns a number by name and labels. */
async function scrape() {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const numbers = new Map(
    lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))] as const),
  );
  return { text, numbers, response, at: (series: string) => numbers.get(series) };
}

test('counts requests by route, status and code, with their duration', async () => {
  const visitor = await world.visitor();
  const before = await scrape();
  await visitor.get('/api/config');
  await visitor.get('/api/config');
  await visitor.get('/api/passport');
  await visitor.get('/api/nothing');
  await world.created.app.request('/api/docs');
  const { at, response } = await scrape();
  const more = (series: string) => (at(series) ?? 0) - (before.at(series) ?? 0);
  const requests = (labels: string) => more(`service_http_requests_total{${labels}}`);
  expect(requests('route="config",status="200",code="none"')).toBe(2);
  expect(requests('route="passport",status="401",code="AUTHENTICATION_REQUIRED"')).toBe(1);
  expect(requests('route="none",status="404",code="NOT_FOUND"')).toBe(1);
  expect(requests('route="docs",status="200",code="none"')).toBe(1);
  expect(more('service_http_request_duration_seconds_count{route="config"}')).toBe(2);
  expect(more('service_http_request_duration_seconds_bucket{le="+Inf",route="config"}')).toBe(2);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
});

test('counts an operation in its current state, and when it has its final result', async () => {
  const visitor = await world.signedIn();
  const before = await scrape();
  const draft = await world.draft(visitor);
  const count = async (state: string) => (await scrape()).at(`service_operations{state="${state}"}`);
  expect(await count('DRAFT')).toBe(1);
  await visitor.signAndSubmit(draft);
  expect([await count('DRAFT'), await count('QUEUED')]).toEqual([0, 1]);
  await world.created.tick();
  expect(await count('SUBMITTED')).toBe(1);
  await world.finalize();
  const { at } = await scrape();
  const ended = 'service_operation_results_total{state="FINALIZED"}';
  expect(at(ended)).toBe((before.at(ended) ?? 0) + 1);
  expect(await count('SUBMITTED')).toBe(0);
});

test('counts waiting credentials and revocations', async () => {
  const { db } = world.database;
  expect((await scrape()).at('service_credential_queue{work="credential"}')).toBe(0);
  const authority = { wallet: world.program, verifier_authority: world.program };
  const signed = { ...authority, signature: new Uint8Array(64) };
  const times = { now: 0, issued_at: 0n, credential_expires_at: 1n };
  const id = await addIssuingSession(db, { ...signed, ...times, commitment: new Uint8Array(32) });
  await db
    .insertInto('credential_revocation')
    .values({ ...signed, id, revoked_at: 1n })
    .execute();
  const { at } = await scrape();
  expect(at('service_credential_queue{work="credential"}')).toBe(1);
  expect(at('service_credential_queue{work="revocation"}')).toBe(1);
  await transition(db, { table: 'verification_session', id, from: 'ISSUING', to: 'ISSUED' });
  await transition(db, { table: 'credential_revocation', id, from: 'REVOKING', to: 'SETTLED' });
});

test('counts events that wait for their receiver, and none without one', async () => {
  const { db } = world.database;
  const events = [1, 2].map((n) => ({
    wallet: world.program,
    type: 'credential.issued' as const,
    cause: `metrics ${n}`,
    data: '{}',
  }));
  await db.insertInto('event').values(events).execute();
  expect((await scrape()).at('service_events_waiting')).toBe(0);
  const receiver = { url: 'http://127.0.0.1:9/', secrets: [] };
  const other = await world.another({ events: receiver });
  const listener = await other.listenMetrics({ port: 0 });
  const waiting = Number(
    (await db.selectFrom('event').select('id').where('delivered_at', 'is', null).execute()).length,
  );
  expect(waiting).toBeGreaterThanOrEqual(2);
  const text = await (await fetch(`${listener.url}/metrics`)).text();
  expect(text).toContain(`service_events_waiting ${waiting}`);
  await other.close();
});

test('gives the lag of the index in chain seconds, or NaN while the chain does not respond', async () => {
  await world.finalize();
  expect((await scrape()).at('service_index_lag_seconds')).toBe(0);
  const { db } = world.database;
  const { time } = await db.selectFrom('index_position').select('time').executeTakeFirstOrThrow();
  const moveTo = (to: bigint) => db.updateTable('index_position').set({ time: to }).execute();
  await moveTo(time - 42n);
  expect((await scrape()).at('service_index_lag_seconds')).toBe(42);
  await moveTo(time);
  world.net.pause('unreachable');
  const { at } = await scrape();
  expect(at('service_index_lag_seconds')).toBeNaN();
  expect(at('service_operations{state="DRAFT"}')).toBe(0);
});

test('counts successful and failed steps of background work', async () => {
  const series = (result: string) => `service_background_steps_total{work="indexer",result="${result}"}`;
  const before = await scrape();
  await world.created.tick();
  world.net.pause('unreachable');
  await expect(world.created.tick()).rejects.toThrow();
  world.net.resume();
  const { at } = await scrape();
  expect(at(series('ok'))).toBe(before.at(series('ok'))! + 1);
  expect(at(series('failed'))).toBe((before.at(series('failed')) ?? 0) + 1);
});

test('does not count a step that the shutdown aborts', async () => {
  const other = await world.another();
  const work = startBackground(other.service, {
    name: 'endless',
    step: (signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      ),
  });
  const step = work.tick();
  const ended = expect(step).rejects.toThrow();
  await other.close({ graceMs: 0 });
  await ended;
  const metrics = await other.service.metrics.registry.metrics();
  for (const result of ['ok', 'failed'])
    expect(metrics).toContain(`service_background_steps_total{work="endless",result="${result}"} 0\n`);
});

test('a counter is 0 before it counts', async () => {
  const fresh = await world.another();
  const metrics = await fresh.service.metrics.registry.metrics();
  for (const series of [
    'service_http_requests_total{route="submit",status="503",code="UNAVAILABLE"}',
    'service_rate_limited_total{limit="address"}',
    'service_background_steps_total{work="worker",result="failed"}',
    'service_operation_results_total{state="FAILED"}',
    'service_rpc_calls_total{rpc="main",method="sendTransaction",result="failed"}',
  ])
    expect(metrics).toContain(`${series} 0\n`);
  await fresh.close();
});

test('counts and times the calls to the RPC', async () => {
  const before = await scrape();
  world.net.pause('unreachable');
  await expect(world.created.tick()).rejects.toThrow();
  world.net.resume();
  const { at } = await scrape();
  const failed = 'service_rpc_calls_total{rpc="main",method="getMultipleAccounts",result="failed"}';
  expect(at(failed)).toBeGreaterThan(before.at(failed)!);
  const all = 'service_rpc_call_duration_seconds_count{rpc="main"}';
  expect(at(all)).toBeGreaterThan(before.at(all)!);
});

test('shows the fee payer, the clock and what a person should look at', async () => {
  const { at } = await scrape();
  const { value } = await world.rpc.getBalance(world.keys.feePayer.address).send();
  expect(at('service_fee_payer_lamports')).toBe(Number(value));
  expect(Math.abs(at('service_clock_skew_seconds')!)).toBeLessThan(2);
  expect(at('service_attention{part="feePayer"}')).toBe(0);
  world.clock.ms += 61_000;
  const visitor = await world.signedIn();
  await visitor.signAndSubmit(await world.draft(visitor));
  world.clock.ms += 61_000;
  expect((await scrape()).at('service_attention{part="operations"}')).toBe(1);
  await world.settle();
  expect((await scrape()).at('service_attention{part="operations"}')).toBe(0);
});

test.runIf(process.env.TEST_DATABASE_URL)(
  'shows the connections to PostgreSQL, without those of the scrape',
  async () => {
    const { at } = await scrape();
    expect(at('service_database_connections{state="busy"}')).toBe(0);
    expect(at('service_database_connections{state="waiting"}')).toBe(0);
  },
);

test('counts the rejections of a rate limit by limit', async () => {
  const { limits } = world.created.service;
  const wallet = 'metrics';
  for (let count = 0; count < RATE_LIMITS.verification.points; count++)
    await limits.takeWallet(wallet, 'verificationSessions');
  await expect(limits.takeWallet(wallet, 'verificationSessions')).rejects.toThrow('Too many requests');
  expect((await scrape()).at('service_rate_limited_total{limit="verification"}')).toBe(1);
});

test('identifies nobody: every label value is from a fixed list', async () => {
  const visitor = await world.signedIn();
  const { body } = await world.draft(visitor);
  await visitor.operation(body.operationId);
  await visitor.get(`/api/${visitor.address}`);
  await visitor.get(`/api/operations/${randomUUID()}`);
  const { text, numbers } = await scrape();
  for (const secret of [visitor.address, body.operationId, body.rule, '127.0.0.1', visitor.cookie!])
    expect(text).not.toContain(secret);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|[1-9A-HJ-NP-Za-km-z]{32}/);
  const routes = [...numbers.keys()].flatMap((series) => /route="(.*?)"/.exec(series)?.[1] ?? []);
  const known = ['none', ...Object.keys({ ...ROUTES, ...FILE_ROUTES })];
  expect(routes.filter((route) => !known.includes(route))).toEqual([]);
  expect(numbers.get('process_start_time_seconds')).toBeGreaterThan(0);
  expect(numbers.has('nodejs_eventloop_lag_seconds')).toBe(true);
});

test('the metrics have their own listener, which serves nothing else and closes with the service', async () => {
  for (const path of ['/', '/api/config', '/api/health/live'])
    expect((await fetch(`${url}${path}`)).status, path).toBe(404);
  expect((await world.created.app.request('/metrics')).status).toBe(404);
  const other = await world.another();
  const listener = await other.listenMetrics({ port: 0 });
  expect(listener.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((await fetch(`${listener.url}/metrics`)).status).toBe(200);
  await other.close();
  await expect(fetch(`${listener.url}/metrics`)).rejects.toThrow('fetch failed');
});

/** Returns the series that the alerts of the guide for operators select, one for each alternative of a matcher. */
function selectedSeries(): readonly { readonly name: string; readonly matchers: readonly string[] }[] {
  const page = readFileSync(new URL('../../../../docs/guides/production.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## Alerts$(.*?)^## /ms.exec(page) ?? [];
  const selectors = section.replaceAll('\\|', '|').matchAll(/\b(service_[a-z_]+)(?:\{(.*?)\})?/g);
  return [...selectors].flatMap(([, name, text = '']) => {
    const matchers = text.split(/, ?/).filter(Boolean);
    const alternatives = matchers.find((matcher) => matcher.includes('|'));
    if (!alternatives) return [{ name: name!, matchers }];
    const [label, values = ''] = alternatives.split('=~');
    const others = matchers.filter((matcher) => matcher !== alternatives);
    return values
      .slice(1, -1)
      .split('|')
      .map((value) => ({ name: name!, matchers: [...others, `${label}="${value}"`] }));
  });
}

/** Returns whether a series has labels as a matcher of PromQL demands. */
function isMatched(series: string, matcher: string): boolean {
  const [, label, operator, value = ''] = /^([a-z_]+)(=~|!=|=)"(.*)"$/.exec(matcher)!;
  const own = new RegExp(`[{,]${label}="(.*?)"`).exec(series)?.[1];
  if (own === undefined) return false;
  if (operator === '!=') return own !== value;
  return operator === '=' ? own === value : new RegExp(`^(${value})$`).test(own);
}

test('has every series that an alert of the guide selects', async () => {
  await (await world.visitor()).get('/api/config');
  const { numbers } = await scrape();
  const selected = selectedSeries();
  expect(selected.length).toBeGreaterThan(15);
  const missing = selected.filter(
    ({ name, matchers }) =>
      ![...numbers.keys()].some(
        (series) => series.split('{')[0] === name && matchers.every((matcher) => isMatched(series, matcher)),
      ),
  );
  // PGlite has no connections.
  const absent = process.env.TEST_DATABASE_URL ? [] : ['service_database_connections'];
  expect(missing.map(({ name }) => name)).toEqual(absent);
});
