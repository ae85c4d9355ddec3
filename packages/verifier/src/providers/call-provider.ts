/** Calls the API of a provider. */
import { ProviderError } from '../provider.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1_000_000;

/** A call to a provider's API. */
export interface ProviderCall {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Calls a provider's API and returns the JSON of its response. It follows no redirects, which could send the key elsewhere.
 *
 * @throws ProviderError for no response within ten seconds, a status other than 2xx, more than a megabyte, or no JSON
 */
export async function callProvider(call: ProviderCall): Promise<unknown> {
  const { url, method, headers, body, fetch = globalThis.fetch } = call;
  const { origin } = new URL(url);
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal,
      ...(body === undefined ? {} : { body }),
    });
    text = await readText(response);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(`The provider at ${origin} did not respond.`, { cause: error });
  }
  if (!response.ok) throw new ProviderError(`The provider at ${origin} responded with ${response.status}.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError(`The provider at ${origin} did not respond with JSON.`);
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES)
      throw new ProviderError('The provider responded with more than a megabyte.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
