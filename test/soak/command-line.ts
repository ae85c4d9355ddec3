/** The command line of `npm run campaign -- soak`. */
import { parseArgs } from 'node:util';

const USAGE = `npm run campaign -- soak [options]

Breaks everything that the service depends on, and checks that it kept what it acknowledged.

  --seconds COUNT     Seconds in which faults happen. The checks take longer. Default: 600.
  --seed NUMBER       Seed of the plan of faults, to repeat the plan of another run. Default: a new one.
  --faults TEXTS      Injects only faults whose names contain one of these texts, separated by commas. Default: all.
  --servers COUNT     Servers on PostgreSQL, 1 to 3. Default: 3.
  --mutant NAME       Breaks the server first, as npm run campaign -- soak-mutants does.
  --data-dir          Kills one server on a PGlite folder. Default: breaks three servers on PostgreSQL.

test/soak/README.md explains the campaigns and the counts.`;

/** The command line, read. */
export interface CommandLine {
  readonly seconds: number;
  readonly seed: number;
  /** The texts of --faults; empty for all faults. */
  readonly only: readonly string[];
  readonly servers: number;
  /** The name of the change that breaks the server, or null. */
  readonly mutant: string | null;
  /** Whether to run the campaign of one server on a PGlite folder. */
  readonly usesFolder: boolean;
}

/** An invalid command line. The message has one line, and says what to do. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

/** Returns the text of `--help`. */
export function usage(): string {
  return USAGE;
}

/**
 * Reads the options. Returns null for `--help`.
 *
 * @throws CommandLineError when an option is unknown or invalid
 */
export function readCommandLine(args: readonly string[]): CommandLine | null {
  const { help, seconds, seed, faults, servers, mutant = null, 'data-dir': usesFolder } = parseOptions(args);
  if (help) return null;
  return {
    seconds: wholeNumber('seconds', seconds, 1) ?? 600,
    seed: wholeNumber('seed', seed, 0) ?? Date.now() % 1_000_000,
    servers: wholeNumber('servers', servers, 1, 3) ?? 3,
    only: faults?.split(',').map((text) => text.trim()) ?? [],
    mutant,
    usesFolder,
  };
}

function parseOptions(args: readonly string[]) {
  const options = {
    seconds: { type: 'string' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    servers: { type: 'string' },
    mutant: { type: 'string' },
    'data-dir': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // Later sentences of Node are about arguments that this command does not have.
    const [what] = (error as Error).message.split(/\.\s/, 1);
    throw new CommandLineError(`${what}. Run npm run campaign -- soak --help, which lists the options.`);
  }
}

function wholeNumber(
  name: string,
  text: string | undefined,
  least: number,
  most = 999_999_999,
): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new CommandLineError(
    `--${name} is ${JSON.stringify(text)}. Pass a whole number from ${least} to ${most}.`,
  );
}
