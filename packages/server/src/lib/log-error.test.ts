import pino from 'pino';
import { expect, test } from 'vitest';
import { logError } from './log-error.ts';

test('what drivers hang on their errors is not logged, nor on the errors behind them', () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const cause = Object.assign(new Error('duplicate key'), { detail: 'SECRET row', params: ['SECRET'] });
  const error = Object.assign(new Error('insert failed', { cause }), { code: '23505', query: 'SECRET' });
  logError(log, error, 'something failed');
  logError(log, { token: 'SECRET' }, 'something failed');
  expect(lines.join()).not.toContain('SECRET');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'something failed',
    error: { name: 'Error', message: 'insert failed', code: '23505', cause: { message: 'duplicate key' } },
  });
});
