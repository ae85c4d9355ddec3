import { expect, it, vi } from 'vitest';
import { listen } from '../../test/support/loopback.ts';
import { createApi } from './transport.ts';

vi.mock('./load-routes.ts', async () => {
  const { loadChunk } = await import('../lib/load-chunk.ts');
  const missing = new TypeError('Failed to fetch dynamically imported module');
  return { loadRoutes: () => loadChunk(() => Promise.reject(missing)) };
});

it('sends nothing if the endpoints cannot be loaded', async () => {
  let requests = 0;
  const server = await listen((_request, response) => {
    requests++;
    response.end();
  });
  try {
    const { origin } = server;
    const api = createApi({ baseUrl: origin, origin, fetch });
    await expect(api.call('session', {})).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      message: expect.stringContaining('A part of the SDK could not be loaded'),
    });
    expect(requests).toBe(0);
  } finally {
    await server.close();
  }
});
