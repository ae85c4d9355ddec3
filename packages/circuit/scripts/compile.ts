import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const circuits = path.resolve(import.meta.dirname, '../circuits');

/** Full simplification: fewer constraints for a few more seconds of compilation. */
export const COMPILER_FLAGS = ['--O2'] as const;

export interface CompiledCircuit {
  /** The witness calculator. */
  wasm: Uint8Array;
  /** The constraint system, which the setup is made for. */
  r1cs: Uint8Array;
  /** As circom prints it, e.g. `2.2.3`. */
  compilerVersion: string;
  /** The npm package that is circom compiled to WebAssembly, e.g. `circom2@0.2.23`. */
  compilerPackage: string;
}

/**
 * Compiles eligibility.circom with circom2.
 *
 * Everything it reads is copied to `directory` first, side by side: circom2 sees the file system through WASI, which
 * does not find files above its working directory, and paths of this machine can so not reach the output.
 */
export async function compileCircuit(directory: string): Promise<CompiledCircuit> {
  const circomlib = path.dirname(require.resolve('circomlib/package.json'));
  await mkdir(path.join(directory, 'circomlib'));
  await cp(path.join(circomlib, 'circuits'), path.join(directory, 'circomlib/circuits'), { recursive: true });
  await cp(circuits, directory, { recursive: true });

  runCircom(directory, ['eligibility.circom', '--r1cs', '--wasm', ...COMPILER_FLAGS]);
  const version = /circom compiler (\S+)/.exec(runCircom(directory, ['--version']))?.[1];
  if (!version) throw new Error('circom2 --version printed no version: has the package changed?');

  return {
    wasm: await readFile(path.join(directory, 'eligibility_js/eligibility.wasm')),
    r1cs: await readFile(path.join(directory, 'eligibility.r1cs')),
    compilerVersion: version,
    compilerPackage: `circom2@${packageVersion('circom2')}`,
  };
}

/** The circuit's own source files and their SHA-256, in order of name. */
export async function circuitSources(): Promise<{ name: string; sha256: string }[]> {
  const names = (await readdir(circuits)).filter((name) => name.endsWith('.circom')).sort();
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(path.join(circuits, name));
      return { name, sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
}

/** The installed version of a package, for the manifest. */
export function packageVersion(name: string): string {
  // Not `require(name + '/package.json')`: snarkjs hides that file behind its `exports`.
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return (require(path.join(folder, name, 'package.json')) as { version: string }).version;
    } catch {
      // Not in this folder: npm may have put it in one further up.
    }
  }
  throw new Error(`${name} is not installed: run npm ci.`);
}

function runCircom(directory: string, args: string[]): string {
  const cli = require.resolve('circom2/cli.js');
  const result = spawnSync(process.execPath, [cli, ...args], { cwd: directory, encoding: 'utf8' });
  if (result.status !== 0)
    throw new Error(`circom2 ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`);
  return result.stdout;
}
