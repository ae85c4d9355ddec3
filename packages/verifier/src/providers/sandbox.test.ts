import { expect, it } from 'vitest';
import { sandboxProvider } from './sandbox.ts';

it('lists the regions by name', async () => {
  const provider = sandboxProvider({ origin: 'https://verifier.example' });
  const returnUrl = 'https://verifier.example/back';
  const { id } = await provider.start({ reference: 'check', returnUrl } as never);
  const response = await provider.pages!(async () => undefined).request(`/checks/${id}`);
  const [, regions = ''] = /<select id="region"(.*?)<\/select>/s.exec(await response.text()) ?? [];
  const names = [...regions.matchAll(/<option value="\w\w">(.+?)<\/option>/g)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(200);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
});
