/** Removes a person's data from the cache when another wallet signs in. */
import type { Address } from '@solana/kit';
import type { ServiceClient } from '../client/service-client.ts';
import { isServiceError, type ServiceError } from '../errors.ts';
import { serviceQueryKeys } from './keys.ts';
import type { ServiceQueryKey } from './shapes.ts';

/** An event of a cache of TanStack Query. */
export interface CacheEvent {
  /** The kind of the event. */
  readonly type: string;
  /** What happened, of an event `updated`. */
  readonly action?: {
    /** The kind of what happened. */
    readonly type: string;
    /** The error, of an action `error`. */
    readonly error?: unknown;
  };
  /** The query, of an event of the query cache. */
  readonly query?: {
    /** Identifies the query. */
    readonly queryKey: readonly unknown[];
    /** Changes what the query holds. */
    setState(state: {
      /** Drops the data. */
      readonly data: undefined;
      /** Milliseconds of the Unix epoch. */
      readonly dataUpdatedAt: number;
    }): void;
  };
  /** The mutation, of an event of the mutation cache. */
  readonly mutation?: {
    /** Its options. */
    readonly options: {
      /** Identifies the kind of the mutation. */
      readonly mutationKey?: readonly unknown[] | undefined;
    };
  };
}

/** A cache of TanStack Query. */
export interface WatchedCache {
  /** Calls a listener with each event, and returns a function that unsubscribes it. */
  subscribe(listener: (event: CacheEvent) => void): () => void;
}

/** The cache of queries. */
export interface WatchedQueryCache extends WatchedCache {
  /** Returns the queries whose keys begin with a key. */
  findAll(filters: {
    /** Begins the keys of the queries. */
    readonly queryKey: readonly unknown[];
  }): readonly {
    /** Drops what the query holds, and notifies its observers. */
    reset(): void;
  }[];
}

/** The part of a `QueryClient` that {@link watchSession} needs. */
export interface WatchedClient {
  /** See TanStack's `QueryClient.removeQueries`. */
  removeQueries(filters: {
    /** Begins the keys of the queries. */
    readonly queryKey: readonly unknown[];
  }): void;
  /** See TanStack's `QueryClient.setQueryData`. */
  setQueryData(queryKey: readonly unknown[], data: unknown): unknown;
  /** See TanStack's `QueryClient.getQueryCache`. */
  getQueryCache(): WatchedQueryCache;
  /** See TanStack's `QueryClient.getMutationCache`. */
  getMutationCache(): WatchedCache;
}

/**
 * Watches the session, and removes cached data that does not belong to the signed-in wallet, until the returned function is
 * called (SPEC.md section 5):
 *
 * - When the signed-in wallet changes, it removes everything of the wallet before.
 * - When a call finds that the session is over or another wallet's, it removes that query's data, and asks the service who
 *   is signed in.
 *
 * `ServiceProvider` of `@service/sdk/react` calls it. With other frameworks, call it once for each QueryClient.
 */
export function watchSession(client: ServiceClient, queryClient: WatchedClient): () => void {
  const keys = serviceQueryKeys(client);
  let { wallet } = client.getSnapshot();
  let isAsking = false;

  const forget = (before: Address) => {
    const queryKey = keys.wallet(before);
    // Removing a query does not notify its observers, so a page would continue to show its data.
    for (const query of queryClient.getQueryCache().findAll({ queryKey })) query.reset();
    queryClient.removeQueries({ queryKey });
  };
  const onSnapshot = () => {
    const before = wallet;
    wallet = client.getSnapshot().wallet;
    if (wallet === before) return;
    if (before) forget(before);
    queryClient.setQueryData(keys.session, wallet);
  };
  const askWho = async () => {
    if (isAsking) return;
    isAsking = true;
    // The next call finds the same again if the service does not answer now.
    await client.session().catch(() => undefined);
    isAsking = false;
  };
  const onError = ({ type, action, query, mutation }: CacheEvent) => {
    if (type !== 'updated' || action?.type !== 'error' || !isOver(action.error)) return;
    const key = query?.queryKey ?? mutation?.options.mutationKey;
    if (!key || !beginsWith(key, keys.people)) return;
    // TanStack keeps the data of the last fetch beside the error of this one.
    query?.setState({ data: undefined, dataUpdatedAt: 0 });
    void askWho();
  };

  const leave = [
    client.subscribe(onSnapshot),
    queryClient.getQueryCache().subscribe(onError),
    queryClient.getMutationCache().subscribe(onError),
  ];
  return () => {
    for (const each of leave) each();
  };
}

/** Returns whether an error means that the session does not belong to the wallet. */
export function isOver(error: unknown): error is ServiceError {
  return (
    isServiceError(error, 'AUTHENTICATION_REQUIRED') ||
    isServiceError(error, 'SESSION_EXPIRED') ||
    isServiceError(error, 'WALLET_MISMATCH')
  );
}

function beginsWith(key: readonly unknown[], prefix: ServiceQueryKey): boolean {
  return prefix.every((part, index) => key[index] === part);
}
