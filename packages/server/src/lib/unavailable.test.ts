import {
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR as HTTP_ERROR,
  SOLANA_ERROR__INVALID_BLOCKHASH_BYTE_LENGTH as INVALID_LENGTH,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS as INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY as NODE_UNHEALTHY,
  SolanaError,
} from '@solana/kit';
import { expect, test } from 'vitest';
import { RpcAnswerError } from '../rpc/answers.ts';
import { RpcConnectionError } from '../rpc/post.ts';
import { isUnavailable } from './unavailable.ts';

const withCode = (code: string, fields = {}) => Object.assign(new Error('an error'), { code, ...fields });
const noSocket = withCode('ENOENT', { syscall: 'connect', address: '/run/.s.PGSQL.5432' });
const noFile = withCode('ENOENT', { syscall: 'open', path: '/a/file' });
const badGateway = { headers: new Headers(), message: 'Bad Gateway', statusCode: 502 };
const behind = { numSlotsBehind: 9n } as never;

test.each<[string, unknown, boolean]>([
  ['fetch without a connection', new TypeError('fetch failed'), true],
  ['another TypeError', new TypeError('x is not a function'), false],
  ['a timeout', new DOMException('timed out', 'TimeoutError'), true],
  ['a refused connection', withCode('ECONNREFUSED'), true],
  ['a unix socket that does not exist', noSocket, true],
  ['a file that does not exist', noFile, false],
  ['PostgreSQL starting up', withCode('57P03'), true],
  ['PostgreSQL out of connections', withCode('53300'), true],
  ['a full disk', withCode('53100'), true],
  ['a PostgreSQL that gives up', withCode('XX000', { severity: 'PANIC' }), true],
  ['a defect of PostgreSQL', withCode('XX000', { severity: 'ERROR' }), false],
  ['a lock that was not free in time', withCode('55P03'), true],
  ['a transaction that waited too long', withCode('25P03'), true],
  ['a standby', withCode('25006'), true],
  [
    'a connection that broke before the query',
    new Error('Client has encountered a connection error and is not queryable'),
    true,
  ],
  ['a response that ends halfway', new TypeError('terminated'), true],
  ['an RPC without a connection', new RpcConnectionError(noSocket), true],
  ['a response of another form', new RpcAnswerError('getSlot', 'is not JSON'), true],
  ['a unique violation', withCode('23505'), false],
  ['an undefined table', withCode('42P01'), false],
  ['an RPC that returns 502', new SolanaError(HTTP_ERROR, badGateway), true],
  ['an RPC that is behind', new SolanaError(NODE_UNHEALTHY, behind), true],
  [
    'an RPC that rejects a malformed request',
    new SolanaError(INVALID_PARAMS, { __serverMessage: 'x' }),
    false,
  ],
  ['an encoding error of kit', new SolanaError(INVALID_LENGTH, { actualLength: 1 }), false],
  ['a string', 'fetch failed', false],
])('%s', (_name, error, expected) => {
  expect(isUnavailable(error)).toBe(expected);
});
