import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ArtifactFile, type ArtifactManifest, manifestDigest } from '@service/protocol/eligibility';
import { assertContributions } from './key/contributions.ts';

/** The folder of the committed proof artifacts: manifest.json and the files that it lists. */
export const artifactsDirectory = path.resolve(import.meta.dirname, '../artifacts');

/** The proof artifacts, after their check. */
export interface EligibilityArtifacts {
  readonly manifest: ArtifactManifest;
  /** The digest that deployments pin: 64 lowercase hex digits. */
  readonly digest: string;
  /** The witness calculator. */
  readonly wasm: Uint8Array;
  /** The proving key. */
  readonly zkey: Uint8Array;
  /** The verifying key as the JSON of snarkjs, in bytes. */
  readonly vkey: Uint8Array;
  /** The verifying key packed for the Circuit account: 576 bytes. */
  readonly key: Uint8Array;
  /** The compact key: the proving key in the format of the SDK's own prover. Artifacts of an older build have none. */
  readonly compactKey: Uint8Array | undefined;
}

/**
 * Reads the committed proof artifacts and checks them against the manifest (Node only).
 *
 * @throws Error if a file is missing or differs from the manifest, or the manifest names other contributions than the proving key
 */
export async function readArtifacts(directory: string = artifactsDirectory): Promise<EligibilityArtifacts> {
  const text = await readArtifact(directory, 'manifest.json');
  const manifest = JSON.parse(text.toString()) as ArtifactManifest;
  const { compactKey: listed } = manifest.files;
  const [wasm, zkey, vkey, key, compactKey] = await Promise.all([
    readListed(directory, manifest.files.wasm),
    readListed(directory, manifest.files.zkey),
    readListed(directory, manifest.files.vkey),
    readListed(directory, manifest.files.key),
    listed && readListed(directory, listed),
  ]);
  assertContributions(manifest, zkey);
  return { manifest, digest: await manifestDigest(manifest), wasm, zkey, vkey, key, compactKey };
}

/** Returns the SHA-256 of bytes, or of a text in UTF-8: 64 lowercase hex digits. */
export function sha256(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

async function readListed(directory: string, file: ArtifactFile): Promise<Uint8Array> {
  const bytes = await readArtifact(directory, file.name);
  if (bytes.length !== file.size || sha256(bytes) !== file.sha256) {
    throw new Error(`${file.name} differs from manifest.json. Run npm run build -w @service/circuit.`);
  }
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

async function readArtifact(directory: string, name: string): Promise<Buffer> {
  try {
    return await readFile(path.join(directory, name));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(
      `${name} in the folder of the proof artifacts, ${directory}, cannot be read (${code}). Run npm run build -w @service/circuit.`,
      { cause },
    );
  }
}
