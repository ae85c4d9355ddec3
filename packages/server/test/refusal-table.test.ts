import { existsSync, readFileSync } from 'node:fs';
import { type ReachedRefusal, watchRefusals } from '@service/server/test-service';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { HttpVariables } from '../src/http/routing/variables.ts';
import { countRows, refusalPage, rowsOf, staleRows, unreached } from './support/refusal-table.ts';

const page = readFileSync(new URL('../../../docs/codes.md', import.meta.url), 'utf8');

describe('docs/codes.md', () => {
  test('has one row for every code of every route; if not, run npm run docs:codes', () => {
    const counts = countRows(page);
    expect(counts.filter(({ rows }) => rows !== 1).map(({ refusal }) => refusal)).toEqual([]);
    expect(rowsOf(page)).toHaveLength(counts.length);
  });

  test('names files that exist', () => {
    const files = rowsOf(page).map((row) => row.split(' | ')[3]?.split(': ')[0]);
    for (const file of new Set(files))
      expect(existsSync(new URL(`../${file}`, import.meta.url)), file).toBe(true);
  });
});

describe('a table from a run', () => {
  const wide = { file: 'packages/server/src/a.test.ts', test: 'all | in one' } as const;
  const narrow = { file: 'packages/server/src/b.test.ts', test: 'one thing' } as const;
  const run: ReachedRefusal[] = [
    { route: 'live', code: 'INTERNAL', ...wide },
    { route: 'live', code: 'RATE_LIMITED', ...wide },
    { route: 'live', code: 'INTERNAL', ...narrow },
  ];

  test('names for each pair the test that reaches the fewest others', () => {
    expect(rowsOf(refusalPage(run))).toEqual([
      '| `GET /api/health/live` | RATE_LIMITED | 429 | src/a.test.ts: all \\| in one |',
      '| `GET /api/health/live` | INTERNAL | 500 | src/b.test.ts: one thing |',
    ]);
    expect(unreached(run)).toContainEqual({ route: 'live', code: 'UNAVAILABLE' });
    expect(unreached(run)).not.toContainEqual({ route: 'live', code: 'INTERNAL' });
  });

  test('is stale if another run does not reach the same pairs with the same tests', () => {
    expect(staleRows(refusalPage(run), run)).toEqual([]);
    expect(staleRows(refusalPage(run), run.slice(0, 2))).toHaveLength(1);
  });
});

describe('the watch', () => {
  const answered = async (status: number, body: object, path = '/api/config', headers = {}) => {
    const app = new Hono<{ Variables: HttpVariables }>();
    app.get('*', (context) => context.json(body, status as 400, { 'X-Request-Id': 'an-id', ...headers }));
    watchRefusals(app);
    return (await app.request(path)).status;
  };
  const error = { code: 'INTERNAL', message: 'The service failed.', requestId: 'an-id' };

  test('accepts responses that match the contract', async () => {
    expect(await answered(500, { error })).toBe(500);
    expect(await answered(200, { whatever: 1 })).toBe(200);
    const unready = { status: 'failing', checks: {}, error: { ...error, code: 'UNAVAILABLE' } };
    expect(await answered(503, unready, '/api/health/ready')).toBe(503);
  });

  test.each<[string, number, object, object?]>([
    ['another status', 400, { error }],
    ['no error', 500, {}],
    ['an unknown code', 500, { error: { ...error, code: 'BROKEN' } }],
    ['a code that the route does not declare', 404, { error: { ...error, code: 'NOT_FOUND' } }],
    ['no message', 500, { error: { ...error, message: '' } }],
    ['another request id', 500, { error: { ...error, requestId: 'other' } }],
    ['an additional field', 500, { error: { ...error, stack: 'at line 1' } }],
    ['something besides the error', 500, { error, status: 'failing', checks: {} }],
    ['no Retry-After', 429, { error: { ...error, code: 'RATE_LIMITED' } }],
    ['an invalid Retry-After', 500, { error }, { 'Retry-After': 'soon' }],
  ])('fails a request whose error response has %s', async (_what, status, body, headers) => {
    await expect(answered(status, body, '/api/config', headers)).rejects.toThrow('GET /api/config returned');
  });
});
