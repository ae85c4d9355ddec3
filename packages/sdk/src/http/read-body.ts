/** Reads responses of an untrusted server: a bounded number of bytes, and only JSON. */
import { ServiceError } from '../errors.ts';
import { callOutside } from '../lib/unexpected-error.ts';

/** Largest accepted response in bytes. A full page of rule sets with eight wide clauses each fits. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** Returns the JSON of a body, or undefined if it is too long, not JSON or not declared as JSON. */
export async function readJson(response: Response, maxBytes = MAX_RESPONSE_BYTES): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(response.headers.get('content-type') ?? '')) {
    letGo(response.body);
    return undefined;
  }
  const body = bodyOf(response);
  const bytes = body ? await readBytes(body, maxBytes) : new Uint8Array();
  if (!bytes) return undefined;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/**
 * Returns the body of a response. Requires a stream, because the client limits the size of what it reads.
 *
 * @throws ServiceError UNSUPPORTED_PLATFORM if `fetch` has no streams, as that of React Native
 */
export function bodyOf({ body }: Response): Response['body'] {
  if (body !== undefined) return body;
  const feature = 'Response.body';
  const remedy =
    'Pass a fetch with streams, such as that of expo/fetch: new ServiceClient({ deployment, fetch }).';
  throw new ServiceError('UNSUPPORTED_PLATFORM', {
    message: `The responses of fetch have no body. ${remedy}`,
    context: { missing: [{ feature, neededFor: 'everything', remedy }] },
  });
}

/** Cancels without waiting: a branch of a body waits for the other branch, which may never end. */
function letGo(body: { cancel(): Promise<void> } | null): void {
  body?.cancel().catch(() => undefined);
}

/** Bytes that are allocated first. Most bodies need no more. */
const FIRST_BYTES = 16 * 1024;

/** Returns the bytes of a body, or null if it is longer than `maxBytes`. Calls `onBytes` with the size of each chunk. */
export async function readBytes(
  body: NonNullable<Response['body']>,
  maxBytes: number,
  onBytes: (count: number) => void = () => {},
): Promise<Uint8Array | null> {
  const reader = body.getReader();
  // Do not collect chunks in a list: a server that sends single bytes would create millions of entries.
  let bytes = new Uint8Array(Math.min(maxBytes, FIRST_BYTES));
  let length = 0;
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await callOutside(() => reader.read());
      isOver = done;
      if (done) return bytes.subarray(0, length);
      const end = length + value.length;
      if (end > maxBytes) return null;
      if (end > bytes.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(end, 2 * bytes.length)));
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(value, length);
      length = end;
      onBytes(value.length);
    }
  } finally {
    if (!isOver) letGo(reader);
  }
}
