import { MAX_BODY_BYTES } from '@service/contract';
import { invalidRequest, ServiceFault } from '../failures/fault.ts';

/** A request body: its exact text, which the webhook's HMAC covers, and its parsed JSON. */
export interface RequestBody {
  readonly text: string;
  readonly json: unknown;
}

/**
 * Reads a JSON body of at most MAX_BODY_BYTES. A missing body reads as an empty object.
 *
 * @throws ServiceFault PAYLOAD_TOO_LARGE, or INVALID_REQUEST if it is not UTF-8 JSON declared as application/json (SPEC.md
 * section 8).
 */
export async function readJsonBody(request: Request): Promise<RequestBody> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return { text: '', json: {} };
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw invalidRequest('Content-Type must be application/json.');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, json: JSON.parse(text) };
  } catch {
    throw invalidRequest('The body is not JSON in UTF-8. Send valid JSON.');
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const isDeclaredTooLarge = Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES;
  const bytes = isDeclaredTooLarge ? null : await readAtMost(request.body, MAX_BODY_BYTES);
  if (!bytes)
    throw new ServiceFault(
      'PAYLOAD_TOO_LARGE',
      `The body is too large. Send at most ${MAX_BODY_BYTES} bytes.`,
    );
  return bytes;
}

/** Reads a body. Returns null, without reading the rest, if it has more than `most` bytes. Throws the errors of the body. */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<Uint8Array | null> {
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > most) {
      await reader.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(read.value);
  }
  return Buffer.concat(chunks);
}
