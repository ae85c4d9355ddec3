import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ServiceError } from '../errors.ts';
import type { FetchReceiptOptions, FinalizedOperation } from '../operations/wait-options.ts';
import { operationQueryOptions } from '../query/operation-queries.ts';
import { invalidateAfter } from '../query/stale-after.ts';
import type { OperationUnderWay } from '../session/snapshot.ts';
import { useServiceClient, useSnapshot } from './provider.ts';
import { useSignedIn } from './use-session.ts';

/** What {@link useOperation} returns. */
export type OperationResult = UseQueryResult<FinalizedOperation, ServiceError> & {
  /** The operation as the snapshot shows it, until its end is proven. */
  readonly underWay: OperationUnderWay | undefined;
};

/**
 * Waits for an operation, also after a page load, and returns its end once your own RPC proves it. It never signs. Pass the
 * signature that was stored with the id. At the end it invalidates what the operation makes stale (SPEC.md sections 3 and 4).
 *
 * @param options.wallet the wallet of the operation. @default the signed-in wallet
 */
export function useOperation(
  operationId: string | null | undefined,
  options: Pick<FetchReceiptOptions, 'wallet' | 'signature'> = {},
): OperationResult {
  const client = useServiceClient();
  const queryClient = useQueryClient();
  const { operations } = useSnapshot();
  const { address, isPending } = useSignedIn();
  const wallet = options.wallet ?? address ?? undefined;
  const { signature } = options;
  const query = operationQueryOptions(client, operationId, { wallet, signature });
  // Without a wallet the wait cannot accept what the service names, so first learn who is signed in.
  const isKnown = wallet !== undefined || signature !== undefined || !isPending;
  const result = useQuery({ ...query, enabled: query.enabled && isKnown });
  const { data } = result;
  // After a page load no mutation does it, and other queries may have been fetched before the operation was final.
  useEffect(() => {
    if (data) void invalidateAfter(queryClient, client, data.kind, data.wallet);
  }, [data, client, queryClient]);
  return { ...result, underWay: operations.find((each) => each.operationId === operationId) };
}
