/**
 * Builds the proof artifacts from the circuit's source.
 *
 *   tsx scripts/build.ts              writes artifacts/
 *   tsx scripts/build.ts --compare    writes nothing; exits 1 if the committed artifacts differ from the result
 *   tsx scripts/build.ts --ceremony FOLDER    uses the keys of a ceremony (docs/ceremony.md), also with --compare
 *   tsx scripts/build.ts --to FOLDER          writes or compares another folder than artifacts/
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeRecord } from '../../../scripts/records.ts';
import { artifactsDirectory, sha256 } from '../src/artifacts.ts';
import { artifactFilesOf } from './artifact-files.ts';
import { takeCeremony } from './ceremony/take-ceremony.ts';
import { type CompiledCircuit, compileCircuit } from './compile.ts';
import { setUp } from './setup.ts';

/** The id of the circuit of the development setup on chain. */
const DEVELOPMENT_CIRCUIT = 'eligibility-2';

const { values: options } = parseArgs({
  options: { compare: { type: 'boolean' }, ceremony: { type: 'string' }, to: { type: 'string' } },
});
/** npm runs the script in the folder of the package, so a path is relative to where npm was called. */
const absolute = (folder: string) => path.resolve(process.env.INIT_CWD ?? '', folder);
const target = options.to === undefined ? artifactsDirectory : absolute(options.to);
const started = Date.now();
const log = (line: string) =>
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

const directory = await mkdtemp(path.join(tmpdir(), 'eligibility-'));
try {
  log('compiling');
  const compiled = await compileCircuit(directory);
  await buildArtifacts(compiled);
} finally {
  await rm(directory, { recursive: true });
}

async function buildArtifacts(compiled: CompiledCircuit): Promise<void> {
  const ceremony = options.ceremony
    ? await takeCeremony(absolute(options.ceremony), compiled.r1cs, log)
    : undefined;
  const setup = ceremony ?? (await setUp(compiled.r1cs, log));
  const { files, digest } = await artifactFilesOf(compiled, setup, ceremony?.circuit ?? DEVELOPMENT_CIRCUIT);
  for (const [name, bytes] of Object.entries(files)) {
    if (options.compare) await compare(name, bytes);
    else await write(name, bytes);
  }
  if (!options.compare && target === artifactsDirectory) writeRecord('circuit');
  log(`${setup.constraints} constraints, manifest digest ${digest}`);
}

async function write(name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(target, { recursive: true });
  await writeFile(path.join(target, name), bytes);
  log(`wrote ${name}, ${bytes.length} bytes, ${sha256(bytes)}`);
}

async function compare(name: string, bytes: Uint8Array): Promise<void> {
  const committed = await readFile(path.join(target, name)).catch(() => undefined);
  const same = committed !== undefined && sha256(committed) === sha256(bytes);
  log(`${same ? 'same   ' : 'DIFFERS'} ${name}`);
  if (!same) process.exitCode = 1;
}
