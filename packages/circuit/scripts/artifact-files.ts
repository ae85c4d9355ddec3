import {
  type ArtifactFile,
  type ArtifactManifest,
  manifestDigest,
  packVerifyingKey,
  parseManifest,
} from '@service/protocol/eligibility';
import { sha256 } from '../src/artifacts.ts';
import { compactKey } from '../src/key/compact-key.ts';
import { COMPILER_FLAGS, type CompiledCircuit, circuitSources, packageVersion } from './compile.ts';
import type { Setup } from './setup.ts';

/** The proof artifacts: the files by name, with manifest.json, and the digest that deployments pin. */
export interface ArtifactFiles {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly digest: string;
}

/**
 * Makes the proof artifacts from a compiled circuit and its keys.
 *
 * @param circuit id of the circuit on chain
 * @throws Error if clients would reject the manifest, such as one with wrong values from a ceremony
 */
export async function artifactFilesOf(
  compiled: CompiledCircuit,
  setup: Setup,
  circuit: string,
): Promise<ArtifactFiles> {
  const files = {
    'eligibility.wasm': compiled.wasm,
    'eligibility.zkey': setup.zkey,
    'eligibility.vkey.json': new TextEncoder().encode(`${JSON.stringify(setup.vkey, null, 1)}\n`),
    'eligibility.key.bin': packVerifyingKey(setup.vkey),
    'eligibility.compact-key.bin': compactKey(setup.zkey),
  };
  const describe = (name: keyof typeof files): ArtifactFile => ({
    name,
    size: files[name].length,
    sha256: sha256(files[name]),
  });
  const manifest: ArtifactManifest = {
    circuit,
    protocol: 'groth16',
    curve: 'bn128',
    publicSignals: ['contextHash'],
    compiler: {
      name: 'circom',
      version: compiled.compilerVersion,
      package: compiled.compilerPackage,
      flags: [...COMPILER_FLAGS],
    },
    source: { files: await circuitSources(), libraries: [`circomlib@${packageVersion('circomlib')}`] },
    constraints: setup.constraints,
    setup: setup.provenance,
    files: {
      wasm: describe('eligibility.wasm'),
      zkey: describe('eligibility.zkey'),
      vkey: describe('eligibility.vkey.json'),
      key: describe('eligibility.key.bin'),
      compactKey: describe('eligibility.compact-key.bin'),
    },
  };
  parseManifest(manifest);
  const text = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
  return { files: { ...files, 'manifest.json': text }, digest: await manifestDigest(manifest) };
}
