/** Reads what governance sets for a circuit from the files of `npm run build -w @service/circuit`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertContributions } from '@service/circuit';
import { type ArtifactFile, manifestDigest } from '@service/protocol/eligibility/manifest';
import { parseManifest } from '@service/protocol/eligibility/parse-manifest';
import { sha256Hex } from '@service/protocol/eligibility/sha256';
import { getBase16Encoder } from '@solana/kit';
import { assertSetup } from '../deploy/check-circuit-and-program.ts';
import { UsageError } from '../options.ts';

/** The arguments of set-circuit. */
export interface CircuitArguments {
  readonly id: string;
  /** SHA-256 of the canonical manifest. */
  readonly artifactsDigest: Uint8Array;
  /** Packed verifying key, 576 bytes. */
  readonly verifyingKey: Uint8Array;
}

/**
 * Reads the manifest and the packed verifying key of a folder, and checks who contributed to the proving key.
 *
 * @throws UsageError if they do not belong together, and Error for keys that the cluster must not have
 */
export async function readCircuit(folder: string, genesisHash: string): Promise<CircuitArguments> {
  const bytesOf = (name: string) =>
    readFile(join(folder, name)).catch(() => {
      throw new UsageError(
        `${join(folder, name)} cannot be read. Pass the folder of manifest.json with --artifacts-directory.`,
      );
    });
  const manifest = parseManifest(JSON.parse((await bytesOf('manifest.json')).toString()));
  const listed = async ({ name, sha256 }: ArtifactFile, what: string) => {
    const file = new Uint8Array(await bytesOf(name));
    if ((await sha256Hex(file)) === sha256) return file;
    throw new UsageError(`${name} is not the ${what} of manifest.json. Build the artifacts again.`);
  };
  const verifyingKey = await listed(manifest.files.key, 'verifying key');
  assertContributions(manifest, await listed(manifest.files.zkey, 'proving key'));
  await assertSetup({ manifest, key: verifyingKey }, genesisHash);
  const digest = await manifestDigest(manifest);
  return {
    id: manifest.circuit,
    artifactsDigest: new Uint8Array(getBase16Encoder().encode(digest)),
    verifyingKey,
  };
}
