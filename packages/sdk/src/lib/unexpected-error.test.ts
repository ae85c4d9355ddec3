import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApi } from '../http/transport.ts';
import { download } from '../prover/artifact-source/download.ts';
import { type Clock, machineClock } from './clock.ts';

afterEach(() => void vi.unstubAllGlobals());

const artifact = {
  name: 'key',
  url: 'https://site.test/key',
  limit: 1,
  signal: new AbortController().signal,
  onBytes: () => {},
  stallTimeoutMs: 1_000,
};
const clock: Clock = { ...machineClock, pause: async () => {} };
const site = { baseUrl: 'https://site.test', origin: 'https://site.test', clock };
const nobody = async () => Response.json({ wallet: null });

/** Calls by the caller's own fetch, or the global one. */
const CALLS: [string, (fetch: typeof globalThis.fetch | undefined) => Promise<unknown>][] = [
  ['a call of the service', (fetch) => createApi({ ...site, fetch }).call('session', {})],
  ['a download', (fetch) => download({ ...artifact, fetch })],
];

describe.each(CALLS)('%s', (_name, call) => {
  it.each([new ReferenceError('cache is not defined'), new RangeError('Invalid status code 1000')])(
    'says that the caller’s own fetch has a mistake: %s',
    async (cause) => {
      const fetch = vi.fn(() => Promise.reject(cause));
      const message = expect.stringContaining(
        `The fetch that you passed has a mistake: it threw a ${cause.name}`,
      );
      const error = {
        code: 'INVALID_ARGUMENT',
        retryable: false,
        context: { field: 'fetch' },
        cause,
        message,
      };
      await expect(call(fetch)).rejects.toMatchObject(error);
      expect(fetch).toHaveBeenCalledTimes(1);
    },
  );

  it('says that the caller’s own fetch returned no response', async () => {
    const error = { code: 'INVALID_ARGUMENT', context: { field: 'fetch' } };
    await expect(call(async () => ({ ok: true }) as never)).rejects.toMatchObject(error);
  });

  it.each([
    ['a TypeError, which fetch throws without a connection', new TypeError('fetch failed')],
    ['an error of a library', new Error('socket hang up')],
    ['a text', 'offline'],
  ])('blames the connection for %s', async (_kind, thrown) => {
    const error = { code: 'NETWORK_ERROR', retryable: true };
    await expect(call(() => Promise.reject(thrown))).rejects.toMatchObject(error);
    vi.stubGlobal('fetch', () => Promise.reject(thrown));
    await expect(call(undefined)).rejects.toMatchObject(error);
  });

  it('does not blame the caller for a mistake in the global fetch', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new ReferenceError('tracing is not defined')));
    await expect(call(undefined)).rejects.toMatchObject({ code: 'UNEXPECTED_ERROR', retryable: false });
    vi.stubGlobal('fetch', async () => ({ ok: true }));
    await expect(call(undefined)).rejects.toMatchObject({ code: 'UNEXPECTED_ERROR', retryable: false });
  });

  it('blames nobody else for a mistake in the SDK', async () => {
    const response = await nobody();
    const fetch = vi.fn(async () => response);
    vi.stubGlobal('Uint8Array', undefined);
    await expect(call(fetch)).rejects.toMatchObject({
      code: 'UNEXPECTED_ERROR',
      cause: expect.any(TypeError),
    });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('blames the connection if it breaks within the body', async () => {
    const pull = (controller: ReadableStreamDefaultController) =>
      controller.error(new TypeError('terminated'));
    const headers = { 'content-type': 'application/json' };
    const broken = async () => new Response(new ReadableStream({ pull }), { headers });
    await expect(call(broken)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });
});

it('a message names the caller’s own fetch as a possible cause, because it can throw the same TypeError', async () => {
  const [[, call]] = CALLS as [(typeof CALLS)[0]];
  const failing = () => Promise.reject(new TypeError('log is not a function'));
  await expect(call(failing)).rejects.toThrow(/and the fetch that you passed\.$/);
  vi.stubGlobal('fetch', failing);
  await expect(call(undefined)).rejects.toThrow(/and that the service is running\.$/);
});

it('a body that cannot be decoded here is not blamed on the service', async () => {
  vi.stubGlobal('TextDecoder', undefined);
  const call = createApi({ ...site, fetch: nobody }).call('session', {});
  await expect(call).rejects.toMatchObject({ code: 'UNEXPECTED_ERROR' });
});
