/** Gives the client to the hooks. */
import { QueryClient, QueryClientContext, QueryClientProvider } from '@tanstack/react-query';
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ServiceClient } from '../client/service-client.ts';
import { watchSession } from '../query/watch-session.ts';
import { createWitnessStore, type WitnessStore } from '../query/witness-store.ts';
import type { ClientSnapshot } from '../session/snapshot.ts';
import { type BrowserWallets, createBrowserWallets } from './browser-wallets.ts';

/** The props of {@link ServiceProvider}. */
export interface ServiceProviderProps {
  /** The client of all hooks below. Create it once, outside of components or in a state. */
  readonly client: ServiceClient;
  /**
   * The store of `useWitness`, if the page has taken the witness before React renders, as it must where a router reads the
   * address first. Create it once. @default a new store
   */
  readonly witnesses?: WitnessStore | undefined;
  /** The page. */
  readonly children?: ReactNode;
}

interface Provided {
  readonly client: ServiceClient;
  readonly witnesses: WitnessStore;
  readonly wallets: BrowserWallets;
}

const Context = createContext<Provided | null>(null);

/**
 * Gives a client to the hooks, and removes what is cached of a wallet when its session ends or another wallet signs in.
 * Uses the `QueryClientProvider` of TanStack Query around it, or makes one.
 *
 * @example
 * <ServiceProvider client={client}><App /></ServiceProvider>
 */
export function ServiceProvider({ client, witnesses: given, children }: ServiceProviderProps): ReactElement {
  const around = useContext(QueryClientContext);
  const [ownCache] = useState(() => (around ? undefined : new QueryClient()));
  const queryClient = around ?? ownCache!;
  const [own] = useState(createWitnessStore);
  const [wallets] = useState(createBrowserWallets);
  const witnesses = given ?? own;
  useEffect(() => watchSession(client, queryClient), [client, queryClient]);
  const provided = useMemo(() => ({ client, witnesses, wallets }), [client, witnesses, wallets]);
  const page = createElement(Context.Provider, { value: provided }, children);
  return around ? page : createElement(QueryClientProvider, { client: queryClient }, page);
}

/** Returns what the provider gives. */
export function useProvided(): Provided {
  const provided = useContext(Context);
  if (provided) return provided;
  throw new Error(
    'There is no ServiceProvider. Put <ServiceProvider client={client}> around this component.',
  );
}

/** Returns the client of the {@link ServiceProvider}. */
export function useServiceClient(): ServiceClient {
  return useProvided().client;
}

/**
 * Returns the signed-in wallet and the operations under way, as far as the client knows. Servers render the snapshot of a
 * new client.
 */
export function useSnapshot(): ClientSnapshot {
  const { subscribe, getSnapshot, getServerSnapshot } = useServiceClient();
  return useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot);
}
