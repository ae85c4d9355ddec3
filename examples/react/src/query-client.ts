import { isServiceError } from '@service/sdk';
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { noteRefusal } from '#demo/lies/refusals.ts';
import { endOperation } from './operations/kept-operations.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (result) => {
        if (isFinalized(result)) endOperation(result.operationId, 'FINALIZED');
      },
      onError: (error, variables, _result, { options, state }) => {
        if (isServiceError(error, 'OPERATION_FAILED')) endOperation(error.context.operationId, 'FAILED');
        // While the service lies, an error can be a refusal. The page of lies lists them.
        noteRefusal(error, { mutationKey: options.mutationKey, variables, submittedAt: state.submittedAt });
      },
    }),
    defaultOptions: { queries: { refetchOnWindowFocus: false } },
  });
}

/** Every write resolves with its operation, once the chain has proven its end. */
function isFinalized(result: unknown): result is { readonly operationId: string } {
  return typeof result === 'object' && result !== null && 'operationId' in result && 'slot' in result;
}
