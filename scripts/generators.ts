/** The commands that write generated files. `npm run generate` runs them. */

import { type Command, script, tests } from './commands.ts';

/** A command that writes generated files. */
export interface Generator extends Command {
  readonly name: string;
  /** What it writes, in words. */
  readonly writes: string;
  /** Runs before the others, because their code imports what it writes. */
  readonly first?: true;
  /** Why it runs only by name. */
  readonly onlyByName?: string;
}

/** Every generator. `generate.ts` runs them. */
export const GENERATORS: readonly Generator[] = [
  {
    name: 'idl',
    writes:
      'the IDL, its error table in the README of the program, and the generated folders of protocol and contract',
    command: script('packages/program/scripts/generate-clients.ts'),
    first: true,
  },
  {
    name: 'vectors',
    writes: 'the golden bytes in test/vectors',
    command: [process.execPath, 'test/vectors/make/make.mjs'],
  },
  {
    name: 'docstrings',
    writes: 'docstrings.json of the OpenAPI document',
    command: script('packages/server/scripts/write-docstrings.ts'),
    first: true,
  },
  {
    name: 'examples',
    writes: 'examples.json of the OpenAPI document',
    command: tests('packages/server/src/openapi/conformance'),
    env: { OPENAPI_EXAMPLES: 'write' },
  },
  {
    name: 'compute',
    writes: 'packages/program/test/compute-units.json',
    command: tests('packages/program/test/compute'),
    env: { PROGRAM_COMPUTE: 'write' },
  },
  {
    name: 'powers',
    writes: 'the table of packages/program/powers.md',
    command: script('packages/program/scripts/write-powers.ts'),
  },
  {
    name: 'configuration',
    writes: 'the tables of variables in docs/guides/operator.md',
    command: script('packages/cli/scripts/write-configuration-page.ts'),
  },
  {
    name: 'verifier-variables',
    writes: 'the tables of variables in packages/verifier/README.md',
    command: script('packages/verifier/scripts/write-variables.ts'),
  },
  {
    name: 'costs',
    writes: 'the costs in docs/for-issuers.md',
    command: script('test/docs/costs/write-costs.ts'),
  },
  {
    name: 'pages',
    writes: 'the pages and tables of the docs that test/docs/generated-pages.ts names',
    command: script('test/docs/write-pages.ts'),
  },
  {
    name: 'screenshots',
    writes: 'docs/screenshots',
    command: script('test/browser/write-screenshots.ts'),
    onlyByName: 'It needs Chromium, and the pictures differ between machines.',
  },
  {
    name: 'programs',
    writes: 'the built programs in packages/program/artifact and packages/localnet',
    command: ['npm', 'run', '-s', 'build', '-w', '@service/program'],
    onlyByName: 'It needs the Debian packages that npm run toolchain -w @service/program installs.',
  },
  {
    name: 'prover',
    writes: 'the built prover in packages/prover/src/generated',
    command: ['npm', 'run', '-s', 'build', '-w', '@service/prover'],
    onlyByName: 'It needs the same Debian packages.',
  },
  {
    name: 'circuit',
    writes: 'packages/circuit/artifacts',
    command: ['npm', 'run', '-s', 'build', '-w', '@service/circuit'],
    onlyByName: 'It takes a minute, and replaces the keys of a ceremony with those of the development setup.',
  },
];
