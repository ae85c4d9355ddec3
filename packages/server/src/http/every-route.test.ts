/** Tests failures that can happen to any request, at every endpoint of the contract. */
import { createServer } from 'node:net';
import { ERROR_CODES, FILE_ROUTES, REQUEST_ID_HEADER, ROUTES } from '@service/contract';
import type { Answer, Visitor } from '@service/server/test-service';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closeServer, listenOnLoopback } from '../../test/support/loopback.ts';
import { testWorld } from '../../test/support/test-world.ts';

const endpoints = [
  ...Object.entries(ROUTES).map(([name, { method, path }]) => [name, method, path] as const),
  ...Object.entries(FILE_ROUTES).map(([name, { path }]) => [name, 'GET', path] as const),
].map(([name, method, path]) => [name, method, path.replaceAll(/\{\w+\}/g, 'none')] as const);
const counted = endpoints.filter(([name]) => name !== 'live' && name !== 'ready');

const world = testWorld({ program: false });

/** The whole body of an error response. */
const bodyOf = ({ headers }: Answer, code: keyof typeof ERROR_CODES) => ({
  error: { code, message: ERROR_CODES[code].meaning, requestId: headers.get(REQUEST_ID_HEADER) },
});

describe('while PostgreSQL, which counts the requests, is down', () => {
  let visitor: Visitor;
  let pool: pg.Pool;
  beforeAll(async () => {
    const server = createServer();
    pool = new pg.Pool({ host: '127.0.0.1', port: await listenOnLoopback(server) });
    await closeServer(server);
    visitor = await world.visitor(await world.another({ database: { ...world.database, pool } }));
  });
  afterAll(() => pool.end());

  test.each(counted)('%s is UNAVAILABLE', async (_name, method, path) => {
    const answer = await visitor.send<Record<string, unknown>>(path, { method });
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual(bodyOf(answer, 'UNAVAILABLE'));
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

describe('an unexpected failure', () => {
  const failing = async (error: Error) => {
    const another = await world.another();
    // Every request calls this first. No endpoint has a real defect to test with.
    vi.spyOn(another.service.limits, 'takeAddress').mockRejectedValue(error);
    return world.visitor(another);
  };

  test.each(endpoints)('is INTERNAL, with details only in the log: %s', async (_name, method, path) => {
    const visitor = await failing(new Error('a SECRET detail'));
    const answer = await visitor.send<Record<string, unknown>>(path, { method });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual(bodyOf(answer, 'INTERNAL'));
    const requestId = answer.headers.get(REQUEST_ID_HEADER) ?? 'none';
    const lines = world.logged.filter((line) => line.includes(requestId));
    expect(lines.join('\n')).toContain('a SECRET detail');
  });

  test('is UNAVAILABLE if a connection failed, even for live', async () => {
    const visitor = await failing(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    const answer = await visitor.get('/api/health/live');
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual(bodyOf(answer, 'UNAVAILABLE'));
  });
});
