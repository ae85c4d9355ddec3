/** Calls an API over HTTP that responds with JSON. */

/** A call to an API. */
export interface ApiCall {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/** How long and how much an API may respond. */
export interface ApiLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** An API did not respond as expected. Its message completes "The API …", and contains nothing from the response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The status of the response, if that is what was wrong. */
  readonly status: number | undefined;

  constructor(message: string, { status, ...options }: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options);
    this.status = status;
  }
}

/**
 * Calls an API and returns the JSON of its response. It follows no redirects, which could send a key elsewhere.
 *
 * @throws ApiError for no response in time, a status other than 2xx, too many bytes, or no JSON
 */
export async function callApi(
  { url, fetch = globalThis.fetch, ...request }: ApiCall,
  { timeoutMs, maxBytes }: ApiLimits,
): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    response = await fetch(url, { ...request, redirect: 'error', signal });
    text = await readText(response, maxBytes);
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('did not respond', { cause: error });
  }
  const { ok, status } = response;
  if (!ok) throw new ApiError(`responded with ${status}`, { status });
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('did not respond with JSON');
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new ApiError(`responded with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
