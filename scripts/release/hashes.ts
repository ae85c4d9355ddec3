/** The hashes of what a release contains, which others can compute from its sources. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestDigest, parseManifest } from '@service/protocol/eligibility';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** A built file, and how to build it again. */
export interface Hash {
  readonly what: string;
  /** SHA-256: 64 lowercase hex digits. */
  readonly sha256: string;
  /** The compiler that made these bytes. Another version can make others. */
  readonly compiler: string;
  /** The command that builds it again and compares the bytes. */
  readonly command: string;
}

/** Returns the hashes of the committed program, prover and proof artifacts. */
export async function builtHashes(): Promise<Hash[]> {
  const prover = read('packages/prover/src/generated/prover-wasm.ts');
  const manifest = parseManifest(JSON.parse(read('packages/circuit/artifacts/manifest.json')));
  return [
    {
      what: 'the program, program.so',
      sha256: first(/^([0-9a-f]{64}) /, read('packages/program/artifact/program.so.sha256')),
      compiler: read('packages/program/artifact/program.so.toolchain').trim(),
      command: 'npm run verify -w @service/program',
    },
    {
      what: 'the prover, a WebAssembly module in the SDK',
      sha256: first(/SHA-256 of the module: ([0-9a-f]{64})/, prover),
      compiler: first(/Compiler: (.+)/, prover),
      command: 'npm run verify -w @service/prover',
    },
    {
      what: `the manifest of the proof artifacts, setup "${manifest.setup.kind}"`,
      sha256: await manifestDigest(manifest),
      compiler: `${manifest.compiler.package}, ${manifest.setup.tool}`,
      command: 'npm run verify -w @service/circuit',
    },
  ];
}

function first(pattern: RegExp, text: string): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`A built file does not have ${pattern}. Build it again.`);
  return found;
}
