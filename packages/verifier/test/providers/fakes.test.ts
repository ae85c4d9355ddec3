import { EventEmitter, on } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { readVariables } from '@service/configuration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '../../src/provider.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import type { FakeProvider } from './fake-provider.ts';
import { FAKES, startFake } from './fakes.ts';

it('each adapter has a fake provider', () => {
  for (const name of Object.keys(PROVIDER_KINDS)) {
    // These two have no provider.
    if (name !== 'manual' && name !== 'sandbox') expect(Object.keys(FAKES)).toContain(name);
  }
});

describe.each(Object.keys(FAKES) as (keyof typeof FAKES)[])('the fake provider %s', (name) => {
  let fake: FakeProvider;
  let adapter: Provider;
  /** Emits the id that the adapter reads from each webhook. */
  const received = new EventEmitter();
  const receiver = createServer(async (request, response) => {
    const headers = new Headers();
    for (const [key, value] of Object.entries(request.headers)) headers.set(key, String(value));
    const id = await adapter.readWebhook(await buffer(request), headers, Date.now());
    response.end();
    received.emit('webhook', id);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const started = await startFake(name, { laterMs: 0 });
    fake = started.fake;
    fake.webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`;
    const kind = PROVIDER_KINDS[name]!;
    const { values } = readVariables(kind.variables, started.environment);
    adapter = kind.create(values, { origin: 'http://127.0.0.1:9' });
  });
  afterAll(() => {
    fake.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  it.each([
    ['approved', ['approved']],
    ['declined', ['declined']],
    ['retry', ['retry']],
    ['pending', ['pending']],
    ['approved slowly', ['pending', 'approved']],
    ['approved, then declined', ['approved', 'declined']],
    ['wrong data', ['approved']],
  ] as const)('does what a person chooses, and sends webhooks: %s', async (choice, states) => {
    const reference = `reference-${choice.replace(/\W/g, '-')}`;
    const { id, url } = await adapter.start({ reference, returnUrl: 'http://127.0.0.1:9/return' });
    const webhooks = on(received, 'webhook');
    const seen: string[] = [];
    const answered = fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ choice }),
      redirect: 'manual',
    });
    for (const _state of states) {
      expect((await webhooks.next()).value).toEqual([id]);
      seen.push((await adapter.decision(id)).state);
    }
    expect((await answered).headers.get('location')).toContain('http://127.0.0.1:9/return');
    expect(seen.at(-1)).toBe(states.at(-1));
  });
});
