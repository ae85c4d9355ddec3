/** Calls the API of a provider. */
import { type ApiCall, ApiError, callApi } from '../call-api.ts';
import { ProviderError } from '../provider.ts';

const LIMITS = { timeoutMs: 10_000, maxBytes: 1_000_000 };

/**
 * Calls a provider's API and returns the JSON of its response. It follows no redirects, which could send the key elsewhere.
 *
 * @param options.mayBeMissing returns undefined for the status 404. @default false
 * @throws ProviderError for no response within ten seconds, a status other than 2xx, more than a megabyte, or no JSON
 */
export async function callProvider(
  call: ApiCall,
  { mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
): Promise<unknown> {
  const { origin } = new URL(call.url);
  try {
    return await callApi(call, LIMITS);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (mayBeMissing && error.status === 404) return undefined;
    throw new ProviderError(`The provider at ${origin} ${error.message}.`, { cause: error });
  }
}
