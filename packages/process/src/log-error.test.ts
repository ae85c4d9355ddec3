import pino from 'pino';
import { expect, test } from 'vitest';
import { logError } from './log-error.ts';

test('does not log the extra fields that drivers add to errors and their causes', () => {
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
