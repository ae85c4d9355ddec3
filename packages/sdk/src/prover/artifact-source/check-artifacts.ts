import {
  type ArtifactFiles,
  type ArtifactManifest,
  manifestDigest,
} from '@service/protocol/eligibility/manifest';
import { parseManifest } from '@service/protocol/eligibility/parse-manifest';
import { sha256Hex } from '@service/protocol/eligibility/sha256';
import { artifactsInvalid, orArtifactsInvalid } from '../prover-errors.ts';

/** The kinds of files. */
export type ArtifactKind = keyof ArtifactFiles;

const KINDS: readonly ArtifactKind[] = ['wasm', 'zkey', 'vkey', 'key'];

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
  /** The witness calculator. */
  readonly wasm: Uint8Array;
  /** The proving key. */
  readonly zkey: Uint8Array;
  /** The verifying key, snarkjs's JSON, as bytes. */
  readonly vkey: Uint8Array;
  /** The verifying key as the Circuit account stores it, 576 bytes. */
  readonly key: Uint8Array;
}

/**
 * Reads the manifest and every file, and checks them before any is used: the manifest's digest against the pinned one,
 * then the size and SHA-256 of each file against the manifest.
 *
 * @throws ServiceError ARTIFACTS_INVALID, NETWORK_ERROR, TIMEOUT or ABORTED
 */
export async function readChecked(
  digest: string,
  read: ReadArtifact,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<CheckedArtifacts> {
  const manifest = await readManifest(digest, read, signal);
  const total = KINDS.reduce((sum, kind) => sum + manifest.files[kind].size, 0);
  let received = 0;
  const onBytes = (count: number) => {
    received += count;
    onProgress(received / total);
  };

  // The first failure stops the other transfers.
  const rest = new AbortController();
  const reading = AbortSignal.any([signal, rest.signal]);
  try {
    const [wasm, zkey, vkey, key] = await Promise.all(
      KINDS.map((kind) => readFileOf(manifest, kind, read, reading, onBytes)),
    );
    return { digest, manifest, wasm: wasm!, zkey: zkey!, vkey: vkey!, key: key! };
  } catch (error) {
    rest.abort();
    throw error;
  }
}

/**
 * Checks loaded artifacts again and returns copies. The arrays may have been changed in memory, and the caller can pass
 * any object as a source.
 *
 * @throws ServiceError ARTIFACTS_INVALID or ABORTED
 */
export function checkAgain(
  digest: string,
  loaded: CheckedArtifacts,
  signal: AbortSignal = new AbortController().signal,
): Promise<CheckedArtifacts> {
  const read: ReadArtifact = async ({ kind }) =>
    kind === 'manifest'
      ? new TextEncoder().encode(JSON.stringify(loaded.manifest))
      : new Uint8Array(loaded[kind]);
  return readChecked(digest, read, signal, () => {});
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
  let manifest: ArtifactManifest;
  let actual: string;
  try {
    manifest = parseManifest(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    actual = await manifestDigest(manifest);
  } catch (cause) {
    throw artifactsInvalid(`${name} is not an artifact manifest. Check the place of the artifacts.`, cause);
  }
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
  const { name, size, sha256 } = manifest.files[kind];
  const request = { kind, name, limit: size, signal, onBytes };
  const bytes = await orArtifactsInvalid(unreadable(name), signal, () => read(request));
  if (bytes.length !== size || (await sha256Hex(bytes)) !== sha256) {
    throw artifactsInvalid(
      `${name} is not the file that the pinned manifest lists. Get the pinned artifacts.`,
    );
  }
  return bytes;
}

function unreadable(name: string): string {
  return `${name} could not be read. Check the place of the artifacts.`;
}
