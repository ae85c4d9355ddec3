import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProviderError } from '../provider.ts';
import { callProvider } from './call-provider.ts';

let answer: (response: ServerResponse, path: string) => void;
let paths: string[] = [];
let origin: string;
const server = createServer((request, response) => {
  paths.push(request.url ?? '');
  answer(response, request.url ?? '');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const call = () =>
  callProvider({ url: `${origin}/check?key=s3cret`, method: 'GET', headers: { 'x-key': 's3cret' } });

test('returns the JSON of the response', async () => {
  answer = (response) => void response.end('{"state":"GREEN"}');
  expect(await call()).toEqual({ state: 'GREEN' });
});

test.each<[string, typeof answer]>([
  ['fails', (response) => void response.writeHead(500).end('{"state":"GREEN"}')],
  ['returns no JSON', (response) => void response.end('GREEN')],
  ['disconnects', (response) => void response.destroy()],
  ['disconnects within its response', (response) => void response.write('{', () => response.destroy())],
  ['returns more than a megabyte', (response) => void response.end(`"${'A'.repeat(1_000_001)}"`)],
  [
    'redirects',
    (response, path) =>
      void (path === '/other' ? response.end('{}') : response.writeHead(302, { location: '/other' }).end()),
  ],
])('a provider that %s gives a ProviderError without the key', async (_what, badly) => {
  answer = badly;
  paths = [];
  const error = await call().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProviderError);
  expect(String(error)).not.toMatch(/s3cret|GREEN/);
  expect(paths).toHaveLength(1);
});

test('a response that may be missing is undefined with 404 only', async () => {
  const url = `${origin}/check`;
  answer = (response) => void response.writeHead(404).end('{"state":"GREEN"}');
  expect(await callProvider({ url, method: 'GET', headers: {} }, { mayBeMissing: true })).toBeUndefined();
  await expect(callProvider({ url, method: 'GET', headers: {} })).rejects.toThrow(ProviderError);
  answer = (response) => void response.writeHead(410).end('{"state":"GREEN"}');
  await expect(callProvider({ url, method: 'GET', headers: {} }, { mayBeMissing: true })).rejects.toThrow(
    '410',
  );
});
