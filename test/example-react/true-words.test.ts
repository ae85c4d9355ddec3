/** The demo says only what is so. */
import { ServiceClient, ServiceError } from '@service/sdk';
import { networkQueryOptions } from '@service/sdk/query';
import { ServiceProvider } from '@service/sdk/react';
import { testWallet } from '@service/testing';
import { serviceHandlers } from '@service/testing/msw';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, createElement as element, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';

const { describeClauses } = await import('../../examples/react/src/clauses/describe-clause.ts');
const { ErrorNotice } = await import('../../examples/react/src/errors/error-notice.tsx');
const { unlisted } = await import('../../examples/react/src/issuer/mint/use-own-bindings.ts');
const { Footer } = await import('../../examples/react/src/site/footer.tsx');
const { WriteStatus } = await import('../../examples/react/src/site/write-status.tsx');
const { StartPage } = await import('../../examples/react/src/start/start-page.tsx');

afterEach(() => {
  vi.unstubAllGlobals();
});

it('shows a request to the person in another colour than a success', () => {
  const classOf = (isPending: boolean) => {
    const html = renderToString(element(WriteStatus, { isPending, children: 'Done.' }));
    return /class="(\w+)"/.exec(html)?.[1];
  };
  expect(classOf(false)).toBe('result');
  expect(classOf(true)).toBe('waiting');
});

it('shows a confirmed transaction as progress, with a countdown that screen readers skip', async () => {
  const confirmed = { slot: 5n, finalIn: 12, seenAt: Date.now() };
  const htmlOf = (isPending: boolean) =>
    renderToString(element(WriteStatus, { isPending, confirmed, children: 'Done.' }));
  expect(htmlOf(true)).toContain('Confirmed, and not final yet.');
  expect(htmlOf(true)).toMatch(
    /class="waiting".*<span aria-hidden="true"> Final in about <!-- -->12<!-- --> s/,
  );
  expect(htmlOf(true)).not.toContain('Done.');
  expect(htmlOf(false)).toBe('<p role="status" class="result">Done.</p>');
});

it('names regions in the order of their names', () => {
  const regions = ['AT', 'DE', 'CH', 'GB'] as const;
  const words = describeClauses([{ regions: [...regions], statuses: ['retail'], minAge: 18 }]);
  expect(words).toContain('from Austria, Germany, Switzerland, or United Kingdom');
});

it('knows as unbound only the mints that no binding names', async () => {
  const [one, other] = await Promise.all(['one', 'other'].map(testWallet));
  const bindings = [{ mint: one!.address }] as never;
  expect(unlisted([one!.address, other!.address], bindings)).toEqual([other!.address]);
});

it('takes a declined request away with the next act, and keeps any other error', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const shows = async (code: 'WALLET_REJECTED' | 'RPC_ERROR') => {
    const error = new ServiceError(code, { message: 'It failed.', context: {} });
    await act(async () => root.render(element(ErrorNotice, { error })));
    expect(container.textContent).not.toBe('');
    await act(async () => void document.body.dispatchEvent(new window.Event('input', { bubbles: true })));
    return container.textContent;
  };
  expect(await shows('WALLET_REJECTED')).toBe('');
  expect(await shows('RPC_ERROR')).not.toBe('');
  expect(await shows('WALLET_REJECTED')).toBe('');
  await act(async () => root.unmount());
  container.remove();
});

it.each([
  ['Sandbox verifier', true],
  ['Verifier', false],
])('speaks of the sandbox only if it runs: %s', async (name, isSandbox) => {
  const { deployment } = await serviceHandlers();
  const client = new ServiceClient({ deployment });
  const cache = new QueryClient();
  const verifiers = [{ name, active: true }];
  cache.setQueryData(networkQueryOptions(client).queryKey, { verifiers, passFee: null });
  const htmlOf = (children: ReactNode) =>
    renderToString(
      element(QueryClientProvider, { client: cache }, element(ServiceProvider, { client, children })),
    );
  for (const Part of [Footer, StartPage])
    expect(htmlOf(element(Part)).includes('sandbox'), Part.name).toBe(isSandbox);
});
