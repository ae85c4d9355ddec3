import { ServiceError } from '../../errors.ts';
import { callFetch, type Fetch } from '../../http/call-fetch.ts';
import { bodyOf, readBytes } from '../../http/read-body.ts';
import { throwIfAborted, untilAborted, withEither } from '../../lib/clock.ts';
import { isFromOutside, unexpectedError } from '../../lib/unexpected-error.ts';
import { ARTIFACT_TOTAL_MS } from '../bounds.ts';
import { artifactTooLarge } from '../prover-errors.ts';
import type { WantedArtifact } from './check-artifacts.ts';

const WHAT = 'Loading the artifacts';

/** A file to download. */
export interface Download extends Omit<WantedArtifact, 'kind'> {
  readonly url: string;
  /** The caller's own fetch, if there is one. */
  readonly fetch: Fetch | undefined;
  /** Longest time without a byte, in milliseconds. */
  readonly stallTimeoutMs: number;
}

/**
 * Fetches a file. It reads at most `limit` bytes. It ends if nothing arrives for `stallTimeoutMs`, or if the whole file
 * takes too long, even if `fetch` ignores its signal.
 *
 * @throws ServiceError NETWORK_ERROR, TIMEOUT, ARTIFACTS_INVALID (too large) or ABORTED
 */
export async function download(file: Download): Promise<Uint8Array> {
  const { stallTimeoutMs, signal } = file;
  const name = nameOf(file);
  const late = new AbortController();
  // Kept here, because the signals of React Native have no reason.
  let tooLate: ServiceError | undefined;
  const giveUp = (why: string) => {
    tooLate ??= new ServiceError('TIMEOUT', { message: `${name} could not be fetched: ${why}. Try again.` });
    late.abort();
  };
  const whole = setTimeout(() => giveUp(`it took longer than ${ARTIFACT_TOTAL_MS} ms`), ARTIFACT_TOTAL_MS);
  let stall: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(stall);
    stall = setTimeout(() => giveUp(`nothing arrived for ${stallTimeoutMs} ms`), stallTimeoutMs);
  };
  try {
    restartTimer();
    return await withEither(signal, late.signal, (stopped) =>
      untilAborted(receive(file, stopped, restartTimer), stopped, WHAT),
    );
  } catch (error) {
    throwIfAborted(signal, WHAT);
    if (tooLate) throw tooLate;
    if (error instanceof ServiceError) throw error;
    if (!isFromOutside(error)) throw unexpectedError(WHAT, error);
    throw unreachable(`${name} could not be fetched: the connection failed. Try again.`, { cause: error });
  } finally {
    clearTimeout(whole);
    clearTimeout(stall);
  }
}

async function receive(
  { url, limit, fetch, onBytes, ...file }: Download,
  signal: AbortSignal,
  onArrival: () => void,
): Promise<Uint8Array> {
  const name = nameOf({ ...file, url });
  const response = await callFetch(fetch, url, { signal });
  const body = bodyOf(response);
  if (!response.ok || !body) {
    // Do not wait: a body that never ends may never be cancelled either.
    body?.cancel().catch(() => {});
    const { status } = response;
    const why = `the server answered ${status}. Check the url of the artifacts.`;
    throw unreachable(`${name} could not be fetched: ${why}`, { status });
  }
  const onChunk = (count: number) => {
    // A fetch may ignore its signal.
    if (signal.aborted) throw signal.reason;
    if (count === 0) return;
    onArrival();
    onBytes(count);
  };
  const bytes = await readBytes(body, limit, onChunk);
  if (!bytes) throw artifactTooLarge(name, limit);
  return bytes;
}

/** Returns the file's name and URL, without the query and fragment, which can contain a signature. */
function nameOf({ name, url }: Pick<Download, 'name' | 'url'>): string {
  return `${name} at ${url.split(/[?#]/)[0]}`;
}

function unreachable(message: string, more: { status?: number; cause?: unknown }): ServiceError {
  return new ServiceError('NETWORK_ERROR', { message, ...more });
}
