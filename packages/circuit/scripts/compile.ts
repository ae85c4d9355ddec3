import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256 } from '../src/artifacts.ts';
import { runCircom } from './circom.ts';

const require = createRequire(import.meta.url);
const circuits = path.resolve(import.meta.dirname, '../circuits');

/** Full simplification. It takes a few more seconds and leaves fewer constraints. */
export const COMPILER_FLAGS = ['--O2'] as const;

export interface CompiledCircuit {
  /** The witness calculator. */
  wasm: Uint8Array;
  /** The constraint system that the setup makes keys for. */
  r1cs: Uint8Array;
  /** The version that circom prints, such as `2.2.3`. */
  compilerVersion: string;
  /** The npm package that contains circom as WebAssembly, such as `circom2@0.2.23`. */
  compilerPackage: string;
}

/**
 * Compiles eligibility.circom with circom2.
 *
 * Copies all sources to `directory` first. circom2 reads files through WASI and finds none above its working directory.
 * The copy also keeps paths of this machine out of the output.
 */
export async function compileCircuit(directory: string): Promise<CompiledCircuit> {
  await copySources(directory);
  await runCircom(directory, ['eligibility.circom', '--r1cs', '--wasm', ...COMPILER_FLAGS]);
  const version = /circom compiler (\S+)/.exec(await runCircom(directory, ['--version']))?.[1];
  if (!version) throw new Error('circom2 --version printed no version. Check whether the package changed.');

  return {
    wasm: await readFile(path.join(directory, 'eligibility_js/eligibility.wasm')),
    r1cs: await readFile(path.join(directory, 'eligibility.r1cs')),
    compilerVersion: version,
    compilerPackage: `circom2@${packageVersion('circom2')}`,
  };
}

/** A constraint system and the names of its signals, as circom writes them. */
export interface CompiledConstraints {
  r1cs: Uint8Array;
  /** One line for each signal: label, wire (-1 if it was simplified away), component, name. */
  sym: string;
}

/** `--O0` keeps each statement as it is written. `--O2` makes the constraints that the keys are made for. */
export type Simplification = '--O0' | '--O2';

/**
 * Compiles eligibility.circom to constraints only. This is faster than {@link compileCircuit}.
 *
 * @param changed sources that replace the committed ones, by file name
 * @throws Error if circom rejects the source
 */
export async function compileConstraints(
  simplification: Simplification,
  changed: Readonly<Record<string, string>> = {},
): Promise<CompiledConstraints> {
  const directory = await mkdtemp(path.join(tmpdir(), 'constraints-'));
  try {
    await copySources(directory);
    for (const [name, text] of Object.entries(changed)) await writeFile(path.join(directory, name), text);
    await runCircom(directory, ['eligibility.circom', '--r1cs', '--sym', simplification]);
    return {
      r1cs: await readFile(path.join(directory, 'eligibility.r1cs')),
      sym: await readFile(path.join(directory, 'eligibility.sym'), 'utf8'),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Returns the circuit's own source files, by name. */
export async function readSources(): Promise<Record<string, string>> {
  const sources: Record<string, string> = {};
  for (const { name } of await circuitSources()) {
    sources[name] = await readFile(path.join(circuits, name), 'utf8');
  }
  return sources;
}

/** Returns the names of the circuit's own source files and their SHA-256, in order of name. */
export async function circuitSources(): Promise<{ name: string; sha256: string }[]> {
  const names = (await readdir(circuits)).filter((name) => name.endsWith('.circom')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sha256: sha256(await readFile(path.join(circuits, name))) })),
  );
}

/** Returns the installed version of a package, for the manifest. */
export function packageVersion(name: string): string {
  // `require(name + '/package.json')` fails: the `exports` of snarkjs hide that file.
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return (require(path.join(folder, name, 'package.json')) as { version: string }).version;
    } catch {
      // npm may have installed it in a folder further up.
    }
  }
  throw new Error(`${name} is not installed. Run npm ci.`);
}

async function copySources(directory: string): Promise<void> {
  const circomlib = path.dirname(require.resolve('circomlib/package.json'));
  await mkdir(path.join(directory, 'circomlib'));
  await cp(path.join(circomlib, 'circuits'), path.join(directory, 'circomlib/circuits'), { recursive: true });
  await cp(circuits, directory, { recursive: true });
}
