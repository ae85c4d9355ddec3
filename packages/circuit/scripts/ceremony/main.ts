/** `npm run ceremony -w @service/circuit`: walks a coordinator and contributors through a ceremony (docs/ceremony.md). */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { curves } from 'snarkjs';
import { compileConstraints } from '../compile.ts';
import { begin, check, contribute, finish } from './steps.ts';

const HELP = `npm run ceremony -w @service/circuit -- STEP [options]

  begin --powers FILE       coordinator: checks the powers of tau, and writes the first key
  contribute --name NAME    contributor: checks the newest key, and adds a secret of this machine
  finish --circuit ID --beacon HEX --exponent N
                            coordinator: closes the key with the announced beacon
  finish --circuit ID       operator: takes the key as the keys of an operator
  check                     anyone: checks the newest key, or the final one

  --folder FOLDER           the files of the ceremony. Default: ceremony
  --help                    prints this text

Every step can be repeated after it was killed. In the end, build the artifacts:
  npm run build -w @service/circuit -- --ceremony FOLDER --to artifacts`;

const options = {
  powers: { type: 'string' },
  name: { type: 'string' },
  circuit: { type: 'string' },
  beacon: { type: 'string' },
  exponent: { type: 'string' },
  folder: { type: 'string', default: 'ceremony' },
  help: { type: 'boolean' },
} as const;

const started = Date.now();
const log = (line: string) =>
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

try {
  await run();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help || positionals.length !== 1) {
    console.log(HELP);
    if (!values.help) process.exitCode = 2;
    return;
  }
  const step = stepOf(positionals[0]!, values);
  log('compiling the circuit');
  const { r1cs } = await compileConstraints('--O2');
  const curve = await curves.getCurveFromName('bn128');
  try {
    await step({ folder: absolute(values.folder), r1cs, log });
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
      const powers = absolute(required(values, 'powers'));
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
    default:
      throw new Error(`There is no step "${name}". --help lists the steps.`);
  }
}

function required(values: Values, name: keyof Values & string): string {
  const value = values[name];
  if (typeof value === 'string') return value;
  throw new Error(`--${name} is missing. --help lists the options.`);
}

/** npm runs the command in the folder of the package, so a path is relative to where npm was called. */
function absolute(file: string): string {
  return path.resolve(process.env.INIT_CWD ?? '', file);
}
