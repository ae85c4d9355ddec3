/**
 * `npm run generate`: writes every generated file that needs only Node. `npm run generate -- NAME…` writes some of them.
 * `--list` prints the names. Each generator runs in a process of its own, and the output of one that fails is printed.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pMap from 'p-map';
import { GENERATORS, type Generator } from './generators.ts';

const ROOT = join(import.meta.dirname, '..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
});
const unknown = positionals.find((name) => !GENERATORS.some((each) => each.name === name));
if (values.list || unknown !== undefined) {
  if (unknown !== undefined) console.error(`No generator has the name ${unknown}. These exist:`);
  for (const { name, writes, onlyByName } of GENERATORS) {
    console.log(`${name.padEnd(12)} ${writes}${onlyByName ? `. Runs only by name: ${onlyByName}` : ''}`);
  }
  process.exit(unknown === undefined ? 0 : 2);
}

const chosen = GENERATORS.filter(({ name, onlyByName }) =>
  positionals.length > 0 ? positionals.includes(name) : onlyByName === undefined,
);
for (const generator of chosen.filter(({ first }) => first)) await run(generator);
await pMap(
  chosen.filter(({ first }) => !first),
  run,
  { concurrency: availableParallelism() },
);

/** Runs a generator. Sets the exit code if it fails, so that the others still run. */
async function run({ name, writes, command, env }: Generator): Promise<void> {
  const started = performance.now();
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, ...env } });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
  const failure = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? undefined : `ended with ${code}`));
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (failure === undefined) {
    console.log(`${name}: wrote ${writes} (${seconds} s)`);
    return;
  }
  console.error(`${name} ${failure} after ${seconds} s. Its output:\n${Buffer.concat(output)}`);
  process.exitCode = 1;
}
