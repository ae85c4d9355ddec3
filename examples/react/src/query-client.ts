import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { noteRefusal } from './lies/refusals.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    // While the service lies, each error can be a refusal. The page of lies lists them.
    queryCache: new QueryCache({ onError: (error) => noteRefusal(error) }),
    mutationCache: new MutationCache({
      onError: (error, variables, _result, { options }) =>
        noteRefusal(error, { mutationKey: options.mutationKey, variables }),
    }),
    defaultOptions: { queries: { refetchOnWindowFocus: false } },
  });
}
