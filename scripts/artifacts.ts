/** The artifacts that take long, or need other tools than Node. Each has a record of the inputs that it was built from. */

/** Files that are built, or a check that passes, with a record of the inputs. */
export interface Artifact {
  readonly name: string;
  /** Files that it is made from: sources, lock files and the scripts that build it, as pathspecs of git. */
  readonly inputs: readonly [string, ...string[]];
  /** Packages of npm that build it. They and their dependencies are inputs too. */
  readonly packages: readonly string[];
  /** The committed files that the build writes, as pathspecs of git. A check has none. */
  readonly outputs: readonly string[];
  /** The file with the digests of inputs and outputs, which the build writes when all of it succeeded. */
  readonly record: string;
  /** The command that builds it, or runs the check, and writes the record. */
  readonly build: string;
  /** The commands that build it again and compare the result, without writing. */
  readonly compare: readonly string[];
}

/** Every artifact. */
export const ARTIFACTS: readonly Artifact[] = [
  {
    name: 'programs',
    inputs: [
      'packages/program/Cargo.*',
      'packages/program/interface',
      'packages/program/rustfmt.toml',
      'packages/program/src',
      'packages/program/toolchain',
      'packages/localnet/stand-in-*/Cargo.*',
      'packages/localnet/stand-in-*/rustfmt.toml',
      'packages/localnet/stand-in-*/src/*',
      'examples/programs/*/Cargo.*',
      'examples/programs/*/rustfmt.toml',
      'examples/programs/*/src/*',
    ],
    packages: [],
    outputs: [
      'packages/program/artifact',
      'packages/localnet/stand-in-*/artifact/*',
      'examples/programs/*/artifact/*',
    ],
    record: 'packages/program/artifact.sha256',
    build: 'npm run build -w @service/program',
    compare: [
      'npm run lint -w @service/program',
      'npm run verify -w @service/program',
      'npm run campaign -- rust-client',
    ],
  },
  {
    name: 'prover',
    inputs: ['packages/prover/rust', 'packages/prover/scripts', 'packages/prover/src/wasm-exports.ts'],
    packages: [],
    outputs: ['packages/prover/src/generated'],
    record: 'packages/prover/artifact.sha256',
    build: 'npm run build -w @service/prover',
    compare: ['npm run lint -w @service/prover', 'npm run verify -w @service/prover'],
  },
  {
    name: 'circuit',
    inputs: [
      'packages/circuit/circuits',
      'packages/circuit/scripts/artifact-files.ts',
      'packages/circuit/scripts/build.ts',
      'packages/circuit/scripts/ceremony',
      'packages/circuit/scripts/circom-thread.mjs',
      'packages/circuit/scripts/circom.ts',
      'packages/circuit/scripts/compile.ts',
      'packages/circuit/scripts/setup.ts',
      'packages/circuit/src/artifacts.ts',
      'packages/circuit/src/key',
      'packages/protocol/src/eligibility/field.ts',
      'packages/protocol/src/eligibility/manifest.ts',
      'packages/protocol/src/eligibility/parse-manifest.ts',
      'packages/protocol/src/eligibility/proof',
    ],
    packages: ['circom2', 'circomlib', 'snarkjs'],
    outputs: ['packages/circuit/artifacts'],
    record: 'packages/circuit/artifacts.sha256',
    build: 'npm run build -w @service/circuit',
    compare: ['npm run check -w @service/circuit', 'npm run verify -w @service/circuit'],
  },
  {
    name: 'independent',
    inputs: [
      'packages/circuit/artifacts',
      'packages/circuit/independent/*',
      'packages/circuit/scripts/independent*.ts',
      'packages/circuit/src/artifacts.ts',
      'packages/circuit/test/attacks/false-statements.ts',
      'packages/circuit/test/attacks/honest-cases.ts',
      'packages/circuit/test/attacks/reopenings.ts',
      'packages/circuit/test/independent',
      'packages/circuit/test/support/constraint-system.ts',
      'packages/circuit/test/support/prover.ts',
      'packages/circuit/test/support/random-signals.ts',
      'packages/circuit/test/support/scenario.ts',
      'packages/circuit/test/support/statement.ts',
      'packages/protocol/src/eligibility/field.ts',
      'packages/protocol/src/eligibility/proof',
      'packages/circuit/test/support/poseidon-inputs.ts',
    ],
    packages: ['fast-check', 'poseidon-lite', 'snarkjs'],
    outputs: ['packages/circuit/test/independent/generated'],
    record: 'packages/circuit/independent.sha256',
    build: 'npm run independent -w @service/circuit',
    compare: ['npm run independent -w @service/circuit'],
  },
  {
    name: 'circomspect',
    inputs: ['packages/circuit/circuits', 'packages/circuit/scripts/circomspect*.ts'],
    packages: ['circomlib'],
    outputs: [],
    record: 'packages/circuit/circomspect.sha256',
    build: 'npm run circomspect -w @service/circuit',
    compare: ['npm run circomspect -w @service/circuit'],
  },
];
