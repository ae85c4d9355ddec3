/**
 * Runs circomspect, a static analyzer of circom programs, over circuits/. Exits 1 unless its findings are those of
 * circomspect-findings.ts, which explains each. Run it with `npm run circomspect -w @service/circuit`.
 *
 * It needs cargo in the PATH. The first run builds circomspect, which takes minutes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EXPLAINED_FINDINGS, findingsOf, type Sarif, unexplained } from './circomspect-findings.ts';
import { readSources } from './compile.ts';

const VERSION = '0.9.0';
const REPOSITORY = path.resolve(import.meta.dirname, '../../..');
/** A folder for each version, so that another version is built anew. */
const INSTALLED = path.join(REPOSITORY, `node_modules/.cache/circomspect-${VERSION}`);
const CIRCUITS = path.resolve(import.meta.dirname, '../circuits');

const program = path.join(INSTALLED, 'bin/circomspect');
if (!existsSync(program)) install();

const directory = await mkdtemp(path.join(tmpdir(), 'circomspect-'));
try {
  const report = path.join(directory, 'report.sarif');
  const sources = await readSources();
  const files = Object.keys(sources).map((name) => path.join(CIRCUITS, name));
  // It exits with 1 if it has findings.
  const libraries = path.join(REPOSITORY, 'node_modules');
  run(program, [...files, '--library', libraries, '--sarif-file', report], [0, 1]);
  const found = findingsOf(JSON.parse(await readFile(report, 'utf8')) as Sarif, sources);
  const wrong = unexplained(found, EXPLAINED_FINDINGS);
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
  else console.log(`circomspect ${VERSION}: ${found.length} findings, each of them explained`);
} finally {
  await rm(directory, { recursive: true });
}

function install(): void {
  run('cargo', ['install', 'circomspect', '--version', VERSION, '--locked', '--root', INSTALLED], [0]);
}

function run(command: string, args: readonly string[], accepted: readonly number[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (error) throw new Error(`${command} did not start. Install Rust with rustup.`, { cause: error });
  if (!accepted.includes(status ?? -1))
    throw new Error(`${command} ended with ${status}. Its output is above.`);
}
