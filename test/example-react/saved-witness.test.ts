/** The demo keeps the encrypted witness of each wallet in IndexedDB. */
import { ServiceClient } from '@service/sdk';
import { ServiceProvider } from '@service/sdk/react';
import { testWallet } from '@service/testing';
import { serviceHandlers } from '@service/testing/msw';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { IDBFactory } from 'fake-indexeddb';
import { createElement as element } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';

vi.stubGlobal('indexedDB', new IDBFactory());
const { useSavedWitness } = await import('../../examples/react/src/holder/credential/use-saved-witness.ts');

it('saves one text for each wallet, which a later page finds', async () => {
  const { deployment } = await serviceHandlers();
  const client = new ServiceClient({ deployment });
  const [alice, bob] = await Promise.all(['alice', 'bob'].map(testWallet));
  const shown = new Map<string, ReturnType<typeof useSavedWitness>>();
  const Saved = ({ wallet }: { readonly wallet: typeof alice }) => {
    shown.set(wallet!.address, useSavedWitness(wallet!.address));
    return null;
  };
  /** Opens a page that knows nothing of an earlier one. */
  const open = () => {
    shown.clear();
    const root = createRoot(document.createElement('div'));
    const both = [alice, bob].map((wallet) => element(Saved, { key: wallet!.address, wallet }));
    const provider = element(ServiceProvider, { client, children: both });
    root.render(element(QueryClientProvider, { client: new QueryClient() }, provider));
    return root;
  };
  const shows = (...texts: readonly (string | null)[]) =>
    vi.waitFor(() => expect([alice, bob].map((wallet) => shown.get(wallet!.address)?.saved)).toEqual(texts));
  const first = open();
  await shows(null, null);
  await shown.get(alice!.address)!.save('of Alice');
  await shows('of Alice', null);
  await shown.get(alice!.address)!.save('of Alice, newer');
  await shown.get(bob!.address)!.save('of Bob');
  await shows('of Alice, newer', 'of Bob');
  first.unmount();
  const later = open();
  await shows('of Alice, newer', 'of Bob');
  later.unmount();
});
