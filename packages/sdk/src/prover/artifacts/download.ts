import { ServiceError } from '../../errors.ts';
import { artifactsInvalid, throwIfAborted } from '../prover-errors.ts';

export interface Download {
  readonly url: string;
  /** Name for error messages. */
  readonly name: string;
  /** Most bytes that are taken. */
  readonly limit: number;
  readonly fetch: typeof fetch;
  /** How long nothing may arrive, in milliseconds. */
  readonly stallTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Called with the number of bytes of each piece that arrives. */
  readonly onBytes: (count: number) => void;
}

/**
 * Fetches a file of known largest size. It reads no more than that, whatever the server sends, and gives up when
 * nothing arrives for a while.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT (nothing arrives), ARTIFACTS_INVALID (too large) or ABORTED
 */
export async function download({
  url,
  name,
  limit,
  fetch,
  stallTimeoutMs,
  signal,
  onBytes,
}: Download): Promise<Uint8Array> {
  const stall = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stall.abort(), stallTimeoutMs);
  };
  try {
    restartTimer();
    const response = await fetch(url, { signal: AbortSignal.any([signal, stall.signal]) });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw unreachable(`${name} could not be fetched: the server answered ${response.status}.`, {
        status: response.status,
      });
    }
    return await readWithin(response.body, { name, limit }, (count) => {
      restartTimer();
      onBytes(count);
    });
  } catch (error) {
    throwIfAborted(signal);
    if (stall.signal.aborted) {
      throw new ServiceError('TIMEOUT', {
        message: `${name} could not be fetched: nothing arrived for ${stallTimeoutMs} ms. Try again.`,
        context: {},
      });
    }
    if (error instanceof ServiceError) throw error;
    throw unreachable(`${name} could not be fetched: the connection failed.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function readWithin(
  body: ReadableStream<Uint8Array>,
  { name, limit }: { name: string; limit: number },
  onBytes: (count: number) => void,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(limit);
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, length);
    if (length + value.length > limit) {
      await reader.cancel();
      throw artifactsInvalid(`${name} is larger than the ${limit} bytes it may have.`);
    }
    bytes.set(value, length);
    length += value.length;
    onBytes(value.length);
  }
}

function unreachable(message: string, more: { status?: number; cause?: unknown }): ServiceError {
  return new ServiceError('NETWORK_ERROR', { message, context: {}, ...more });
}
