/** The shapes of TanStack Query 5 that this entry makes and takes. The entry needs no type and no code of TanStack. */
import type { ServiceError } from '../errors.ts';

/**
 * A key of the cache. It begins with `service`, the genesis hash and the program, so that two deployments share nothing.
 * A key contains no bigint and no witness.
 */
export type ServiceQueryKey = readonly ['service', string, string, ...unknown[]];

/** Options of a query, for `useQuery`, `fetchQuery` and similar functions. */
export interface ServiceQueryOptions<TData> {
  /** Identifies the data in the cache. */
  readonly queryKey: ServiceQueryKey;
  /** Fetches the data. Throws ServiceError. */
  readonly queryFn: (context: ServiceQueryContext) => Promise<TData>;
  /** Repeats a fetch at most twice, and only after an error that is `retryable`. */
  readonly retry: (failureCount: number, error: ServiceError) => boolean;
  /** Milliseconds for which the data counts as fresh. */
  readonly staleTime: number;
  /** False while an argument is missing, such as the wallet of a person who has not signed in. */
  readonly enabled: boolean;
  /** Marks the data for persisters and logs. */
  readonly meta: ServiceQueryMeta;
  /** Milliseconds for which unused data stays in the cache. @default that of the QueryClient */
  readonly gcTime?: number;
}

/** What TanStack Query passes to a `queryFn`. */
export interface ServiceQueryContext {
  /** Fires when nobody needs the data any more. */
  readonly signal?: AbortSignal | undefined;
}

/** What a query says about its data. */
export type ServiceQueryMeta = {
  /** Whether the data belongs to a person. A persister must leave it out. */
  readonly personal: boolean;
};

/** Options of a mutation, for `useMutation` and similar functions. */
export interface ServiceMutationOptions<TData, TVariables> {
  /** Identifies the kind of the mutation, and its wallet. */
  readonly mutationKey: ServiceQueryKey;
  /** Does the work. Throws ServiceError. */
  readonly mutationFn: (variables: TVariables) => Promise<TData>;
  /**
   * Always false: a write whose answer is lost can be on the chain, and a second one would be another transaction. The type
   * has a function only so that TanStack infers the type of the error.
   */
  readonly retry: false | ((failureCount: number, error: ServiceError) => boolean);
  /** Fails offline. Otherwise TanStack would keep the write, and ask the wallet once the network is back. */
  readonly networkMode: 'always';
  /** Milliseconds for which an unused result stays in the cache. @default that of the QueryClient */
  readonly gcTime?: number;
}

/** The part of a `QueryClient` that drops what a write made stale. */
export interface InvalidatingClient {
  /** See TanStack's `QueryClient.invalidateQueries`. */
  invalidateQueries(filters: {
    /** Begins the keys of the queries. */
    readonly queryKey: readonly unknown[];
  }): Promise<void>;
}
