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

async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  if (!response.body) return new Uint8Array();
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      letGo(reader);
      return null;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
