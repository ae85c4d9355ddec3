/** Queries of one operation: its end, and its receipt. */
import type { ServiceClient } from '../client/service-client.ts';
import type { FetchReceiptOptions, FinalizedOperation, WaitOptions } from '../operations/wait-options.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { serviceQueryKeys } from './keys.ts';
import { missing } from './missing.ts';
import { retry } from './retry.ts';
import type { ServiceQueryOptions } from './shapes.ts';

/** Which transaction counts as the operation, as in `waitForOperation`. */
export type OperationQuery = Pick<
  WaitOptions,
  'wallet' | 'signature' | 'preparedAt' | 'timeoutMs' | 'onState' | 'onConfirmed'
>;

/**
 * Queries the end of an operation: `client.waitForOperation`, which never signs (SPEC.md sections 3 and 4). The query
 * fetches until the operation is final, up to three minutes. After OUTCOME_UNKNOWN, refetch it; never repeat the write.
 * When it has data, call `invalidateAfter` with its `kind` and `wallet`, as `useOperation` does.
 */
export function operationQueryOptions(
  client: ServiceClient,
  operationId: string | null | undefined,
  options: OperationQuery = {},
): ServiceQueryOptions<FinalizedOperation> {
  const { wallet, signature, preparedAt } = options;
  const owner = wallet ?? client.getSnapshot().wallet;
  return {
    queryKey: serviceQueryKeys(client).operation(owner, operationId, { signature, preparedAt }),
    queryFn: async ({ signal }) => {
      if (!operationId) throw missing('operationId', 'Pass the id of the operation.');
      return client.waitForOperation(operationId, { ...options, signal });
    },
    retry,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: Boolean(operationId),
    meta: { personal: true },
  };
}

/**
 * Queries the receipt of a finalized operation, which never changes: `client.fetchReceipt` (SPEC.md sections 3 and 4).
 */
export function receiptQueryOptions(
  client: ServiceClient,
  operationId: string | null | undefined,
  options: Pick<FetchReceiptOptions, 'wallet' | 'signature'> = {},
): ServiceQueryOptions<Receipt> {
  const { wallet, signature } = options;
  const owner = wallet ?? client.getSnapshot().wallet;
  return {
    queryKey: serviceQueryKeys(client).receipt(owner, operationId, { signature }),
    queryFn: async ({ signal }) => {
      if (!operationId) throw missing('operationId', 'Pass the id of the operation.');
      return client.fetchReceipt(operationId, { ...options, signal });
    },
    retry,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: Boolean(operationId),
    meta: { personal: true },
  };
}
