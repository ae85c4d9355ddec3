import { expect, it } from 'vitest';
import { createApi } from '../http/transport.ts';
import { download } from '../prover/artifact-source/download.ts';

const mistake = new ReferenceError('codec is not defined');
const fetch = async () => {
  throw mistake;
};
const broken = async () => {
  throw new TypeError('fetch failed');
};
const artifact = {
  name: 'key',
  url: 'https://site.test/key',
  limit: 1,
  signal: new AbortController().signal,
  onBytes: () => {},
  stallTimeoutMs: 1_000,
};
const site = { baseUrl: 'https://site.test', origin: 'https://site.test', retry: { limit: 0 } };

it.each([
  ['a call of the service', (by: typeof fetch) => createApi({ ...site, fetch: by }).call('session', {})],
  ['a download', (by: typeof fetch) => download({ ...artifact, fetch: by })],
])('%s does not blame the connection for a mistake in code', async (_name, call) => {
  const error = { code: 'UNEXPECTED_ERROR', retryable: false, cause: mistake };
  await expect(call(fetch)).rejects.toMatchObject(error);
  await expect(call(broken)).rejects.toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
});
