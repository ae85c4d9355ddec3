import { REPLACED_WASM_SHA256 } from '@service/circuit/witness/replaced-wasm';
import { EligibilityError } from '@service/protocol/eligibility/errors';
import {
  type ArtifactFiles,
  type ArtifactManifest,
  manifestDigest,
} from '@service/protocol/eligibility/manifest';
import { parseManifest } from '@service/protocol/eligibility/parse-manifest';
import { sha256Hex } from '@service/protocol/eligibility/sha256';
import type { ServiceError } from '../../errors.ts';
import { withEither } from '../../lib/clock.ts';
import { callOutside } from '../../lib/unexpected-error.ts';
import { artifactsInvalid, artifactTooLarge, orArtifactsInvalid } from '../prover-errors.ts';

/** The kinds of files. */
export type ArtifactKind = keyof ArtifactFiles;

/** The files for snarkjs, those for the SDK's own prover, and those for a native prover. */
const SNARKJS_KINDS: readonly ArtifactKind[] = ['wasm', 'zkey', 'vkey', 'key'];
const OWN_KINDS: readonly ArtifactKind[] = ['compactKey', 'vkey', 'key'];
const NATIVE_KINDS: readonly ArtifactKind[] = ['zkey', 'vkey', 'key'];

/** A limit far above the size of a manifest. */
const MANIFEST_MAX_BYTES = 64 * 1024;

/** A file to read. */
export interface WantedArtifact {
  readonly kind: ArtifactKind | 'manifest';
  readonly name: string;
  /** Largest accepted number of bytes. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Called with the number of bytes of each chunk. */
  readonly onBytes: (count: number) => void;
}

/** Reads one file of at most `limit` bytes. */
export type ReadArtifact = (file: WantedArtifact) => Promise<Uint8Array>;

/** Proof artifacts that were checked against the pinned digest, every byte (SPEC.md section 2). */
export interface CheckedArtifacts {
  /** Digest of the manifest: 64 lowercase hex digits. */
  readonly digest: string;
  /** The manifest that the files were checked against. */
  readonly manifest: ArtifactManifest;
  /** circom's witness calculator. Missing unless the files of snarkjs were loaded. */
  readonly wasm?: Uint8Array | undefined;
  /** The proving key of snarkjs and of native provers. Missing if only the files of the SDK's own prover were loaded. */
  readonly zkey?: Uint8Array | undefined;
  /** The compact key: the proving key of the SDK's own prover. Missing if the files of another prover were loaded. */
  readonly compactKey?: Uint8Array | undefined;
  /** The verifying key, snarkjs's JSON, as bytes. */
  readonly vkey: Uint8Array;
  /** The verifying key as the Circuit account stores it, 576 bytes. */
  readonly key: Uint8Array;
}

/** What decides which files are read. */
export interface Choice {
  /** Whether snarkjs must make the proof. */
  readonly forSnarkjs?: boolean | undefined;
  /** Whether a native prover must make the proof. */
  readonly forNative?: boolean | undefined;
  /** Whether the source may have the compact key. */
  readonly hasCompactKey: boolean;
}

/**
 * Reads the manifest and the files of one prover, and checks them before any is used: the manifest's digest against the
 * pinned one, then the size and SHA-256 of each file against the manifest.
 *
 * @throws ServiceError ARTIFACTS_INVALID, NETWORK_ERROR, TIMEOUT or ABORTED
 */
export async function readChecked(
  digest: string,
  choice: Choice,
  read: ReadArtifact,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<CheckedArtifacts> {
  const manifest = await readManifest(digest, read, signal);
  const kinds = kindsOf(choice, manifest);
  const total = kinds.reduce((sum, kind) => sum + (manifest.files[kind]?.size ?? 0), 0);
  let received = 0;
  const onBytes = (count: number) => {
    received += count;
    onProgress(received / total);
  };

  // The first failure stops the other transfers.
  const others = new AbortController();
  try {
    const files = await withEither(signal, others.signal, (reading) =>
      Promise.all(
        kinds.map(async (kind) => [kind, await readFileOf(manifest, kind, read, reading, onBytes)] as const),
      ),
    );
    const { vkey, key, ...rest } = Object.fromEntries(files) as Record<'vkey' | 'key', Uint8Array>;
    return { digest, manifest, ...rest, vkey, key };
  } catch (error) {
    others.abort();
    throw error;
  }
}

function kindsOf({ forNative, forSnarkjs, hasCompactKey }: Choice, manifest: ArtifactManifest) {
  if (forNative) return NATIVE_KINDS;
  return !forSnarkjs && hasCompactKey && fitsOwnProver(manifest) ? OWN_KINDS : SNARKJS_KINDS;
}

/**
 * Checks loaded artifacts of one prover again and returns copies. The arrays may have been changed in memory, and the
 * caller can pass any object as a source.
 *
 * @throws ServiceError ARTIFACTS_INVALID or ABORTED
 */
export function checkAgain(
  digest: string,
  loaded: CheckedArtifacts,
  {
    signal = new AbortController().signal,
    forSnarkjs,
    forNative,
  }: { signal?: AbortSignal | undefined } & Omit<Choice, 'hasCompactKey'> = {},
): Promise<CheckedArtifacts> {
  const encoder = new TextEncoder();
  const read: ReadArtifact = ({ kind, name, limit }) =>
    callOutside(async () => {
      if (kind === 'manifest') return encoder.encode(JSON.stringify(loaded.manifest));
      const bytes = loaded[kind];
      if (!ArrayBuffer.isView(bytes)) {
        throw artifactsInvalid(`The source did not return ${name} as a Uint8Array. Check that source.`);
      }
      return copyOf(bytes, name, limit);
    });
  const choice = { forSnarkjs, forNative, hasCompactKey: loaded.compactKey !== undefined };
  return readChecked(digest, choice, read, signal, () => {});
}

/**
 * Copies bytes of the caller before they are checked, so that a later change has no effect. Do not use slice: for a Buffer
 * it copies nothing.
 *
 * @throws ServiceError ARTIFACTS_INVALID if there are more than `limit`
 */
export function copyOf(bytes: Uint8Array, name: string, limit: number): Uint8Array {
  if (bytes.length > limit) throw artifactTooLarge(name, limit);
  return new Uint8Array(bytes);
}

/** Returns whether the SDK's own calculator and prover fit these artifacts. */
export function fitsOwnProver({ files }: ArtifactManifest): boolean {
  return files.compactKey !== undefined && files.wasm.sha256 === REPLACED_WASM_SHA256;
}

/** Reads the manifest, and checks its digest. Throws ServiceError ARTIFACTS_INVALID, NETWORK_ERROR, TIMEOUT, ABORTED. */
export async function readManifest(
  digest: string,
  read: ReadArtifact,
  signal: AbortSignal,
): Promise<ArtifactManifest> {
  const name = 'manifest.json';
  const request = { kind: 'manifest', name, limit: MANIFEST_MAX_BYTES, signal, onBytes: () => {} } as const;
  const bytes = await orArtifactsInvalid(unreadable(name), signal, () => read(request));
  const manifest = manifestOf(bytes, name);
  const actual = await digestOf(manifest, name);
  if (actual !== digest) {
    throw artifactsInvalid(
      `${name} has the digest ${actual}, but ${digest} is pinned. Get the pinned artifacts.`,
    );
  }
  if (manifest.publicSignals.length !== 1 || manifest.publicSignals[0] !== 'contextHash') {
    throw artifactsInvalid(
      `The circuit ${manifest.circuit} must have one public signal, contextHash. Use the version of this SDK that fits the artifacts.`,
    );
  }
  return manifest;
}

async function readFileOf(
  manifest: ArtifactManifest,
  kind: ArtifactKind,
  read: ReadArtifact,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<Uint8Array> {
  const { name, size, sha256 } = manifest.files[kind]!;
  const request = { kind, name, limit: size, signal, onBytes };
  const bytes = await orArtifactsInvalid(unreadable(name), signal, () => read(request));
  if (bytes.length !== size || (await sha256Hex(bytes)) !== sha256) {
    throw artifactsInvalid(
      `${name} is not the file that the pinned manifest lists. Get the pinned artifacts.`,
    );
  }
  return bytes;
}

/** Reads a manifest. Throws ServiceError ARTIFACTS_INVALID. */
function manifestOf(bytes: Uint8Array, name: string): ArtifactManifest {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let json: unknown;
  try {
    json = JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    throw noManifest(name, cause);
  }
  try {
    return parseManifest(json);
  } catch (error) {
    throw error instanceof EligibilityError ? noManifest(name, error) : error;
  }
}

/** Returns the digest of a manifest. Throws ServiceError ARTIFACTS_INVALID if it has none. */
async function digestOf(manifest: ArtifactManifest, name: string): Promise<string> {
  try {
    return await manifestDigest(manifest);
  } catch (error) {
    throw error instanceof EligibilityError ? noManifest(name, error) : error;
  }
}

function noManifest(name: string, cause: unknown): ServiceError {
  return artifactsInvalid(`${name} is not an artifact manifest. Check the place of the artifacts.`, cause);
}

function unreadable(name: string): string {
  return `${name} could not be read. Check the place of the artifacts.`;
}
