/** `npx @service/cli ceremony`: walks a coordinator and contributors through a ceremony (docs/ceremony.md). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { curves } from 'snarkjs';
import { sha256 } from '../../src/artifacts.ts';
import { artifactFilesOf } from '../artifact-files.ts';
import { compileCircuit, compileConstraints } from '../compile.ts';
import { begin, type Ceremony, check, contribute, finish } from './steps.ts';
import { takeCeremony } from './take-ceremony.ts';

const HELP = `Usage: npx @service/cli ceremony STEP [options]

  begin --powers FILE       coordinator: checks the powers of tau, and writes the first key
  contribute --name NAME    contributor: checks the newest key, and adds a secret of this machine
  finish --circuit ID --beacon HEX --exponent N
                            coordinator: closes the key with the announced beacon
  finish --circuit ID       operator: takes the key as the keys of an operator
  check                     anyone: checks the newest key, or the final one
  artifacts --to FOLDER     anyone: builds the proof artifacts with the finished key

  --folder FOLDER           the files of the ceremony. Default: ceremony
  --help                    prints this text

Every step can be repeated after it was killed.`;

const options = {
  powers: { type: 'string' },
  name: { type: 'string' },
  circuit: { type: 'string' },
  beacon: { type: 'string' },
  exponent: { type: 'string' },
  to: { type: 'string' },
  folder: { type: 'string', default: 'ceremony' },
  help: { type: 'boolean' },
} as const;

const started = Date.now();
const log = (line: string) =>
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

/** Runs a step. Returns the exit code: 0 when done, 1 if the step fails, 2 for wrong options. */
export async function ceremony(argv: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (values.help || positionals.length !== 1) {
      console.log(HELP);
      return values.help ? 0 : 2;
    }
    await run(stepOf(positionals[0]!, values), values.folder);
    return 0;
  } catch (error) {
    console.error((error as Error).message);
    return error instanceof OptionError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
      ? 2
      : 1;
  }
}

/** An option of the command line is missing or unknown. */
class OptionError extends Error {}

async function run(step: Step, folder: string): Promise<void> {
  log('compiling the circuit');
  const { r1cs } = await compileConstraints('--O2');
  const curve = await curves.getCurveFromName('bn128');
  try {
    await step({ folder: path.resolve(folder), r1cs, log });
  } finally {
    // Its worker threads would keep the process alive.
    await curve.terminate();
  }
}

type Step = (ceremony: Parameters<typeof begin>[0]) => Promise<unknown>;
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

function stepOf(name: string, values: Values): Step {
  switch (name) {
    case 'begin': {
      const powers = path.resolve(required(values, 'powers'));
      return (ceremony) => begin(ceremony, powers);
    }
    case 'contribute': {
      const contributor = required(values, 'name');
      return (ceremony) => contribute(ceremony, contributor);
    }
    case 'finish': {
      const circuit = required(values, 'circuit');
      if (values.exponent !== undefined) required(values, 'beacon');
      const phase2Beacon =
        values.beacon === undefined
          ? undefined
          : { hash: values.beacon, iterationsExponent: Number(required(values, 'exponent')) };
      return (ceremony) => finish(ceremony, { circuit, phase2Beacon });
    }
    case 'check':
      return check;
    case 'artifacts': {
      const to = path.resolve(required(values, 'to'));
      return (ceremony) => buildArtifacts(ceremony, to);
    }
    default:
      throw new OptionError(`There is no step "${name}". --help lists the steps.`);
  }
}

function required(values: Values, name: keyof Values & string): string {
  const value = values[name];
  if (typeof value === 'string') return value;
  throw new OptionError(`--${name} is missing. --help lists the options.`);
}

/** Writes the proof artifacts of a finished ceremony. */
async function buildArtifacts({ folder, log, published }: Ceremony, to: string): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'eligibility-'));
  try {
    const compiled = await compileCircuit(directory);
    const setup = await takeCeremony(folder, compiled.r1cs, log, published);
    const { files, digest } = await artifactFilesOf(compiled, setup, setup.circuit);
    await mkdir(to, { recursive: true });
    for (const [name, bytes] of Object.entries(files)) {
      await writeFile(path.join(to, name), bytes);
      log(`wrote ${name} ${sha256(bytes)}`);
    }
    log(`manifest digest ${digest}`);
  } finally {
    await rm(directory, { recursive: true });
  }
}
