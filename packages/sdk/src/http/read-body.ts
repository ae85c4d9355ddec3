/** Reading a response of a server that is not trusted: bounded, and JSON or nothing. */

/** The most that a response may hold, in bytes: a full page of rule sets with eight wide clauses each. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** The JSON of a body, or undefined when it is longer than allowed, no JSON or not declared as JSON. */
export async function readJson(response: Response, maxBytes = MAX_RESPONSE_BYTES): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(response.headers.get('content-type') ?? '')) {
    letGo(response.body);
    return undefined;
  }
  const bytes = await readBytes(response, maxBytes);
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Not awaited: of two branches of one body, the end of one waits for that of the other, and may be for ever. */
function letGo(body: { cancel(): Promise<void> } | null): void {
  body?.cancel().catch(() => undefined);
}

/** Bytes that are put aside for a body at first: most need no more. */
const FIRST_BYTES = 16 * 1024;

async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  if (!response.body) return new Uint8Array();
  const reader = response.body.getReader();
  // Not a list of what comes: a server that sends single bytes would fill it with millions.
  let bytes = new Uint8Array(Math.min(maxBytes, FIRST_BYTES));
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const end = length + value.length;
    if (end > maxBytes) {
      letGo(reader);
      return null;
    }
    if (end > bytes.length) {
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(end, 2 * bytes.length)));
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(value, length);
    length = end;
  }
  return bytes.subarray(0, length);
}
