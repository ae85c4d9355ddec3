/** Renders components under StrictMode, as dApps in development do. */
import type { ServiceClient } from '@service/sdk';
import { ServiceProvider, type ServiceProviderProps } from '@service/sdk/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement as element, type FunctionComponent, StrictMode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { vi } from 'vitest';

/** Waits until React has run what it had scheduled. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface Rendered {
  /** The text of the page. */
  text(): string;
  /** Waits until the page shows a text. */
  shows(text: string): Promise<void>;
  readonly cache: QueryClient;
  /** What React could not hydrate. */
  readonly recovered: readonly unknown[];
  unmount(): Promise<void>;
}

const newCache = () =>
  new QueryClient({ defaultOptions: { queries: { retryDelay: 0 }, mutations: { retry: 3 } } });

const appOf = (provided: ServiceProviderProps, cache: QueryClient, Page: FunctionComponent) =>
  element(
    StrictMode,
    null,
    element(QueryClientProvider, { client: cache }, element(ServiceProvider, provided, element(Page))),
  );

/** Returns what a server sends. */
export const htmlOf = (client: ServiceClient, Page: FunctionComponent) =>
  renderToString(appOf({ client }, newCache(), Page));

/** Renders a page, or hydrates the HTML of a server. */
export async function render(
  client: ServiceClient,
  Page: FunctionComponent,
  {
    html,
    cache = newCache(),
    witnesses,
  }: { readonly html?: string; readonly cache?: QueryClient } & Pick<ServiceProviderProps, 'witnesses'> = {},
): Promise<Rendered> {
  const container = document.createElement('div');
  document.body.append(container);
  const app = appOf({ client, witnesses }, cache, Page);
  const recovered: unknown[] = [];
  const text = () => container.textContent ?? '';
  let root: Root;
  if (html === undefined) {
    root = createRoot(container);
    root.render(app);
  } else {
    container.innerHTML = html;
    root = hydrateRoot(container, app, { onRecoverableError: (error) => recovered.push(error) });
  }
  return {
    text,
    cache,
    recovered,
    async shows(expected) {
      await vi.waitFor(
        () => {
          if (!text().includes(expected)) throw new Error(`the page shows ${text()}, not ${expected}`);
        },
        { timeout: 60_000, interval: 5 },
      );
    },
    async unmount() {
      root.unmount();
      await settled();
      container.remove();
      cache.clear();
    },
  };
}
