import { ServiceClient } from '@service/sdk';
import { testWallet } from '@service/testing';
import { serviceHandlers } from '@service/testing/msw';
import { createElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Rendered } from '../query/support/render.ts';

// Before React and the example load, which look for a window and its storages.
const { render } = await import('../query/support/render.ts');
const { useOwnMints } = await import('../../examples/react/src/issuer/mint/own-mints.ts');

const { address: issuer } = await testWallet('issuer');
const { address: mint } = await testWallet('mint');
const { address: notOnChain } = await testWallet('not on chain');

let rendered: Rendered;
afterEach(async () => {
  await rendered.unmount();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('lists the mints that this wallet created here, as soon as they are on chain', async () => {
  const { deployment, fetch } = await serviceHandlers({ mints: [{ mint, issuer }] });
  // The RPC of the page uses it.
  vi.stubGlobal('fetch', fetch);
  let own: ReturnType<typeof useOwnMints>;
  rendered = await render(new ServiceClient({ deployment, fetch }), () => {
    own = useOwnMints(issuer);
    return createElement('p', null, `on chain: ${own.mints.join() || 'none'}, ${own.isCreating}`);
  });
  await rendered.shows('on chain: none, false');
  own!.keep(notOnChain);
  await rendered.shows('on chain: none, true');
  own!.keep(mint);
  await rendered.shows(`on chain: ${mint}, true`);
  own!.forget(notOnChain, new Error('declined'));
  await rendered.shows(`on chain: ${mint}, false`);
  expect(JSON.parse(localStorage.getItem('mints')!)).toMatchObject([{ mint, wallet: issuer }]);
});

it('lists no mint of another cluster', async () => {
  const { deployment, fetch } = await serviceHandlers({ mints: [{ mint, issuer }] });
  vi.stubGlobal('fetch', fetch);
  const kept = [{ mint, wallet: issuer, deployment: 'another cluster/program', keptAt: Date.now() }];
  localStorage.setItem('mints', JSON.stringify(kept));
  window.dispatchEvent(new StorageEvent('storage', { key: 'mints' }));
  rendered = await render(new ServiceClient({ deployment, fetch }), () => {
    const { mints, isCreating } = useOwnMints(issuer);
    return createElement('p', null, `on chain: ${mints.join() || 'none'}, ${isCreating}`);
  });
  await rendered.shows('on chain: none, false');
});
