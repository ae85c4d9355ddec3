import type { ArtifactManifest } from '@service/protocol/eligibility/manifest';
import { checkObject, checkOptions, invalidArgument } from '../../lib/check-arguments.ts';
import { throwIfAborted } from '../../lib/clock.ts';
import { SharedWork } from '../../lib/shared-work.ts';
import { callOutside, orUnexpected } from '../../lib/unexpected-error.ts';
import { requirePlatform } from '../../platform/check-platform.ts';
import { requireGlobals } from '../../platform/require-globals.ts';
import { ARTIFACT_STALL_MS, ARTIFACT_TOTAL_MS } from '../bounds.ts';
import { guardListener } from '../guard-listener.ts';
import { readLocalFile } from '../platform/index.ts';
import { artifactsInvalid } from '../prover-errors.ts';
import {
  type CheckedArtifacts,
  type Choice,
  copyOf,
  fitsOwnProver,
  type ReadArtifact,
  readChecked,
  readManifest,
} from './check-artifacts.ts';
import { download } from './download.ts';

/** The place of the artifacts, and the digest that their manifest must have (SPEC.md section 2). */
export type ArtifactsFromOptions = {
  /** Digest of the manifest: 64 lowercase hex digits. Pin it. Never take it from the server. */
  readonly digest: string;
} & (ArtifactsAtUrl | ArtifactsInFiles | ArtifactsInBytes);

/** Artifacts at `{url}/{digest}/{name}`, with manifest.json next to the files (SPEC.md section 2). */
export interface ArtifactsAtUrl {
  /** URL of the folder that contains the folder named by the digest. */
  readonly url: string | URL;
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds without a byte after which a transfer fails. @default 30000 */
  readonly stallTimeoutMs?: number | undefined;
}

/** Artifacts in a local directory, only in Node (SPEC.md section 2). */
export interface ArtifactsInFiles {
  /** Path of the directory with manifest.json and the files. */
  readonly files: string;
}

/** Artifacts in memory (SPEC.md section 2). */
export interface ArtifactsInBytes {
  /** manifest.json, the verifying key in its two formats, and the files of the provers that may make the proofs. */
  readonly bytes: Readonly<Record<'manifest' | 'vkey' | 'key', Uint8Array>> & {
    /** The proving key of the SDK's own prover. Without it, snarkjs makes the proofs. */
    readonly compactKey?: Uint8Array | undefined;
    /** The proving key of snarkjs and of native provers. */
    readonly zkey?: Uint8Array | undefined;
    /** The witness calculator of snarkjs. The SDK's own prover and native provers do not use it. */
    readonly wasm?: Uint8Array | undefined;
  };
}

/** Options of {@link ArtifactSource.load}. */
export interface LoadOptions {
  /** Ends this wait. The transfer continues while another call waits for it. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the received fraction of all bytes, 0 to 1; not called if they were loaded before. If it throws, this
   * wait ends and the promise rejects with that error.
   */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /**
   * Loads the files of snarkjs instead of the compact key. The SDK sets it if its own prover fails.
   *
   * @default false
   */
  readonly forSnarkjs?: boolean | undefined;
  /**
   * Loads only the proving key of snarkjs and the verifying key. The SDK sets it if the caller passes a `prover`.
   *
   * @default false
   */
  readonly forNative?: boolean | undefined;
}

/** Pinned proof artifacts, which are loaded at first use (SPEC.md section 2). */
export interface ArtifactSource {
  /** Digest of the manifest: 64 lowercase hex digits. */
  readonly digest: string;
  /**
   * Loads and checks the artifacts once. Later calls return copies of them. It reads only the files of the SDK's own
   * prover. If that prover does not fit the manifest, or there is no compact key, it reads the files of snarkjs instead.
   *
   * @throws ServiceError ARTIFACTS_INVALID, NETWORK_ERROR, TIMEOUT, ABORTED or UNSUPPORTED_PLATFORM
   */
  load(options?: LoadOptions): Promise<CheckedArtifacts>;
}

/** Checked artifacts by digest and prover, whatever their source. Callers get copies, because arrays can be changed. */
const checked = new Map<string, CheckedArtifacts>();

/** Current transfers, by source. */
const transfers = new SharedWork<unknown, CheckedArtifacts, number>();

/**
 * Returns a source of proof artifacts that loads only artifacts with the pinned digest (SPEC.md section 1).
 *
 * @throws ServiceError INVALID_ARGUMENT if the digest is not 64 lowercase hex digits, or stallTimeoutMs is out of range;
 *   UNSUPPORTED_PLATFORM if the platform has no `URL`
 */
export function artifactsFrom(options: ArtifactsFromOptions): ArtifactSource {
  requireGlobals(['URL']);
  checkObject('options', options, 'an object such as { digest, url }');
  const { digest } = options;
  if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) {
    throw invalidArgument(
      'digest',
      'digest must be the pinned digest of the manifest, 64 lowercase hex digits.',
    );
  }
  checkPlace(options);
  const read = readerOf(options);
  const place = placeOf(options);
  return {
    digest,
    async load(load = {}) {
      checkOptions(load);
      return loadShared({ digest, place, read, choice: choiceOf(options, load) }, load);
    },
  };
}

/** Checks the source that the options name. Throws ServiceError INVALID_ARGUMENT. */
function checkPlace(options: ArtifactsFromOptions): void {
  const { url, files, bytes, fetch }: Partial<Record<'url' | 'files' | 'bytes' | 'fetch', unknown>> = options;
  if ('url' in options) {
    if (typeof url !== 'string' && !(url instanceof URL)) {
      throw invalidArgument('url', 'url must be a string or a URL, such as https://app.example/artifacts.');
    }
    if (fetch !== undefined && typeof fetch !== 'function') {
      throw invalidArgument('fetch', 'fetch must be a function. You can leave it out.');
    }
    checkStallTimeout(options.stallTimeoutMs);
    return;
  }
  if ('files' in options) {
    if (typeof files === 'string') return;
    throw invalidArgument('files', 'files must be the path of a directory.');
  }
  const given = bytes as Record<string, unknown> | null | undefined;
  const isBytes = (kind: string) => ArrayBuffer.isView(given?.[kind]);
  const isWhole =
    ['manifest', 'vkey', 'key'].every(isBytes) &&
    ['compactKey', 'zkey', 'wasm'].every((kind) => given?.[kind] === undefined || isBytes(kind));
  if (!isWhole) {
    throw invalidArgument(
      'bytes',
      "Pass url, files, or bytes: { manifest, vkey, key, compactKey, zkey, wasm }, each a Uint8Array. The SDK's own prover needs compactKey, a native prover zkey, and snarkjs zkey and wasm.",
    );
  }
}

function checkStallTimeout(ms: number | undefined): void {
  // A longer one would overflow the timer, which would then fire at once.
  if (ms === undefined || (Number.isFinite(ms) && ms > 0 && ms <= ARTIFACT_TOTAL_MS)) return;
  throw invalidArgument(
    'stallTimeoutMs',
    `stallTimeoutMs must be a number of milliseconds above 0 and at most ${ARTIFACT_TOTAL_MS}.`,
  );
}

const WHAT = 'Loading the artifacts';

/** Artifacts to load. */
interface Wanted {
  /** Digest of the manifest: 64 lowercase hex digits. */
  readonly digest: string;
  readonly place: string | symbol;
  readonly read: ReadArtifact;
  readonly choice: Choice;
}

function loadShared({ digest, place, read, choice }: Wanted, load: LoadOptions): Promise<CheckedArtifacts> {
  const whole = (onProgress: (fraction: number) => void, signal: AbortSignal | undefined) =>
    orUnexpected(WHAT, async () => {
      throwIfAborted(signal, WHAT);
      requirePlatform();
      const prover = load.forNative ? 'native' : load.forSnarkjs ? 'snarkjs' : 'own';
      const id = `${digest} ${prover}`;
      const known = checked.get(id);
      if (known) return copied(known);
      const transfer = typeof place === 'string' ? `${place} ${prover}` : place;
      const loaded = await transfers.join(
        transfer,
        { signal, what: WHAT, onProgress },
        async (ending, report) => {
          const result = await readChecked(digest, choice, read, ending, report);
          // A source without the compact key must not decide for others that have it.
          const isFallback = prover === 'own' && !result.compactKey && fitsOwnProver(result.manifest);
          if (!isFallback) checked.set(id, result);
          return result;
        },
      );
      return copied(loaded);
    });
  return guardListener(load.onProgress, load.signal, whole);
}

/** Copies artifacts. structuredClone would make two more copies of each file for a moment. */
function copied({ manifest, ...artifacts }: CheckedArtifacts): CheckedArtifacts {
  const parts = Object.entries(artifacts).map(([name, part]) => [
    name,
    part instanceof Uint8Array ? new Uint8Array(part) : part,
  ]);
  // Hermes has no structuredClone.
  return { ...Object.fromEntries(parts), manifest: JSON.parse(JSON.stringify(manifest)) };
}

function choiceOf(options: ArtifactsFromOptions, { forSnarkjs, forNative }: LoadOptions): Choice {
  return {
    forSnarkjs,
    forNative,
    hasCompactKey: !('bytes' in options) || options.bytes.compactKey !== undefined,
  };
}

/** Fetches the manifest of pinned artifacts without their files. Throws ServiceError as `load` does. */
export function fetchManifest(
  options: Extract<ArtifactsFromOptions, { url: unknown }>,
  signal: AbortSignal = new AbortController().signal,
): Promise<ArtifactManifest> {
  return orUnexpected(WHAT, () => readManifest(options.digest, readerOf(options), signal));
}

/** Returns the key of a source. Sources share a transfer only if they cannot differ. */
function placeOf(options: ArtifactsFromOptions): string | symbol {
  if ('url' in options && !options.fetch && options.stallTimeoutMs === undefined) {
    return `url ${options.digest} ${options.url}`;
  }
  if ('files' in options) return `files ${options.digest} ${options.files}`;
  return Symbol('not shared');
}

function readerOf(options: ArtifactsFromOptions): ReadArtifact {
  if ('url' in options) {
    const base = `${String(options.url).replace(/\/+$/, '')}/${options.digest}`;
    const { stallTimeoutMs = ARTIFACT_STALL_MS } = options;
    const { fetch } = options;
    return ({ name, ...file }) => download({ ...file, name, url: `${base}/${name}`, fetch, stallTimeoutMs });
  }
  if ('files' in options) return (file) => readLocalFile({ directory: options.files, ...file });
  return ({ kind, name, limit }) =>
    callOutside(async () => {
      const bytes = options.bytes[kind];
      if (!ArrayBuffer.isView(bytes)) throw artifactsInvalid(`${name} is not among the bytes. Pass it.`);
      return copyOf(bytes, name, limit);
    });
}
