import { watchRefusals } from '@service/server/test-service';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { HttpVariables } from '../src/http/routing/variables.ts';

describe('the watch of refusals', () => {
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
