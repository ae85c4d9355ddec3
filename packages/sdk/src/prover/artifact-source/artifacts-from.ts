import { ServiceError } from '../../errors.ts';
import { throwIfAborted, untilAborted } from '../../lib/deadline.ts';
import { readLocalFile } from '../../platform/index.ts';
import { ARTIFACT_STALL_MS, ARTIFACT_TOTAL_MS } from '../bounds.ts';
import { guardListener } from '../guard-listener.ts';
import { artifactsInvalid } from '../prover-errors.ts';
import { type CheckedArtifacts, copyOf, type ReadArtifact, readChecked } from './check-artifacts.ts';
import { download } from './download.ts';

/**
 * Where artifacts are, and the digest of the manifest that they must have (SPEC.md section 2).
 *
 * @inline
 */
export type ArtifactsFromOptions = {
  /** Digest of the manifest: 64 lowercase hex digits. Pinned by the caller, never taken from the server. */
  readonly digest: string;
} & (ArtifactsAtUrl | ArtifactsInFiles | ArtifactsInBytes);

/**
 * Served at `{url}/{digest}/{name}`, manifest.json beside the files (SPEC.md section 2).
 *
 * @inline
 */
export interface ArtifactsAtUrl {
  /** Where the folder named by the digest is. */
  readonly url: string | URL;
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch | undefined;
  /** How long nothing may arrive before a transfer is given up, in milliseconds. @default 30000 */
  readonly stallTimeoutMs?: number | undefined;
}

/**
 * In a local directory, Node only (SPEC.md section 2).
 *
 * @inline
 */
export interface ArtifactsInFiles {
  /** Path of the directory that holds manifest.json and the files. */
  readonly files: string;
}

/**
 * In memory already (SPEC.md section 2).
 *
 * @inline
 */
export interface ArtifactsInBytes {
  /** manifest.json and the four files. */
  readonly bytes: Readonly<Record<'manifest' | 'wasm' | 'zkey' | 'vkey' | 'key', Uint8Array>>;
}

/**
 * Options of {@link ArtifactSource.load}. Not in SPEC.md: how the prover runs.
 *
 * @inline
 */
export interface LoadOptions {
  /** Ends this wait; the transfer goes on while somebody else waits for it. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the fraction of all bytes that have arrived, 0 to 1; not at all when they were loaded before. What it
   * throws ends this wait and is what the promise rejects with.
   */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Pinned proof artifacts, loaded when first needed (SPEC.md section 2). */
export interface ArtifactSource {
  /** Digest of the manifest: 64 lowercase hex digits. */
  readonly digest: string;
  /**
   * Loads and checks the artifacts, once: later calls get copies of what the first one checked.
   *
   * @throws ServiceError ARTIFACTS_INVALID, NETWORK_ERROR, TIMEOUT or ABORTED
   */
  load(options?: LoadOptions): Promise<CheckedArtifacts>;
}

interface Transfer {
  readonly artifacts: Promise<CheckedArtifacts>;
  readonly controller: AbortController;
  readonly listeners: Set<(fraction: number) => void>;
  waiting: number;
}

/** What was checked is the same wherever it came from. Never given out itself: arrays can be written to. */
const checked = new Map<string, CheckedArtifacts>();

/** Transfers under way, by where they come from. */
const transfers = new Map<unknown, Transfer>();

/**
 * A source of proof artifacts that gives out nothing but what the pinned digest stands for (SPEC.md section 1).
 *
 * @throws ServiceError INVALID_ARGUMENT when the digest is not 64 lowercase hex digits, or stallTimeoutMs no time
 */
export function artifactsFrom(options: ArtifactsFromOptions): ArtifactSource {
  const { digest } = options;
  if (!/^[0-9a-f]{64}$/.test(digest)) {
    throw new ServiceError('INVALID_ARGUMENT', {
      message: 'digest must be 64 lowercase hex digits: the digest of the artifact manifest that you pin.',
      context: { field: 'digest' },
    });
  }
  if ('url' in options) checkStallTimeout(options.stallTimeoutMs);
  const read = readerOf(options);
  const place = placeOf(options);
  return { digest, load: (load = {}) => loadShared(digest, place, read, load) };
}

function checkStallTimeout(ms: number | undefined): void {
  // Longer ones would overflow the timer and end at once.
  if (ms === undefined || (Number.isFinite(ms) && ms > 0 && ms <= ARTIFACT_TOTAL_MS)) return;
  throw new ServiceError('INVALID_ARGUMENT', {
    message: `stallTimeoutMs must be a number of milliseconds above 0 and at most ${ARTIFACT_TOTAL_MS}.`,
    context: { field: 'stallTimeoutMs' },
  });
}

const WHAT = 'Loading the artifacts';

function loadShared(
  digest: string,
  place: unknown,
  read: ReadArtifact,
  load: LoadOptions,
): Promise<CheckedArtifacts> {
  return guardListener(load.onProgress, load.signal, async (onProgress, signal) => {
    throwIfAborted(signal, WHAT);
    const known = checked.get(digest);
    if (known) return copyOf(known);

    const transfer = transfers.get(place) ?? startTransfer(digest, place, read);
    transfer.waiting += 1;
    transfer.listeners.add(onProgress);
    try {
      return copyOf(await untilAborted(transfer.artifacts, signal, WHAT));
    } finally {
      transfer.listeners.delete(onProgress);
      transfer.waiting -= 1;
      if (transfer.waiting === 0) {
        // Nobody is left: either it is over, or the last one has given up.
        if (transfers.get(place) === transfer) transfers.delete(place);
        transfer.controller.abort();
      }
    }
  });
}

function startTransfer(digest: string, place: unknown, read: ReadArtifact): Transfer {
  const controller = new AbortController();
  const listeners = new Set<(fraction: number) => void>();
  const artifacts = readChecked(digest, read, controller.signal, (fraction) => {
    for (const listener of listeners) listener(fraction);
  }).then((result) => {
    checked.set(digest, result);
    return result;
  });
  // Everyone may have given up before it fails.
  artifacts.catch(() => {});
  const transfer: Transfer = { artifacts, controller, listeners, waiting: 0 };
  transfers.set(place, transfer);
  return transfer;
}

/** Two sources share a transfer when nothing about them can differ. */
function placeOf(options: ArtifactsFromOptions): unknown {
  if ('url' in options && !options.fetch && options.stallTimeoutMs === undefined) {
    return `url ${options.digest} ${options.url}`;
  }
  if ('files' in options) return `files ${options.digest} ${options.files}`;
  return Symbol('its own');
}

function readerOf(options: ArtifactsFromOptions): ReadArtifact {
  if ('url' in options) {
    const base = `${String(options.url).replace(/\/+$/, '')}/${options.digest}`;
    return ({ name, limit, signal, onBytes }) =>
      download({
        url: `${base}/${name}`,
        name,
        limit,
        signal,
        onBytes,
        fetch: options.fetch ?? globalThis.fetch,
        stallTimeoutMs: options.stallTimeoutMs ?? ARTIFACT_STALL_MS,
      });
  }
  if ('files' in options) {
    return ({ name, limit, signal }) => readLocalFile({ directory: options.files, name, limit, signal });
  }
  return async ({ kind, name, limit }) => {
    const bytes = options.bytes[kind];
    if (bytes.length > limit)
      throw artifactsInvalid(`${name} is larger than the ${limit} bytes it may have.`);
    // Copied before it is checked, so that what was checked is what is used. Not by slice: a Buffer's is no copy.
    return new Uint8Array(bytes);
  };
}
