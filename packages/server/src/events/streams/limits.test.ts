/** One network address cannot use up the streams of all visitors. */
import { EVENT_STREAMS } from '@service/contract';
import { expect, test } from 'vitest';
import { BACKEND, cookie, streamService } from '../../../test/support/events/stream-service.ts';

const service = streamService();
const { open, request } = service;

test('the wallets behind one network address share a limit; other addresses and the backend have room', async () => {
  const { world } = service;
  const wallets = EVENT_STREAMS.address / EVENT_STREAMS.wallet;
  for (let wallet = 0; wallet < wallets; wallet += 1) {
    const headers = cookie(await (await world.visitor()).signIn());
    for (let stream = 0; stream < EVENT_STREAMS.wallet; stream += 1) await open(headers);
  }
  const refused = await request(cookie(service.alice));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15']);
  await open(BACKEND);
  // Requests in this process have one address, and those over loopback another.
  const { url } = await world.created.listen({ port: 0 });
  const elsewhere = await fetch(`${url}/api/events`, { headers: cookie(service.alice) });
  expect(elsewhere.status).toBe(200);
  await elsewhere.body!.cancel();
});
