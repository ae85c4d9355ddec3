/** The command line of `npm start`. */
import { parseArgs } from 'node:util';
import { FINALITY_SLOTS, PORTS, SLOT_MS } from './defaults.ts';

/** The options, with their values and what they do. */
const OPTIONS = {
  'site-port': ['PORT', `Port of the site; 0 takes a free port. Default: ${PORTS.site}.`],
  'rpc-port': ['PORT', `Port of the local chain; 0 takes a free port. Default: ${PORTS.rpc}.`],
  'verifier-port': ['PORT', `Port of the sandbox verifier; 0 takes a free port. Default: ${PORTS.verifier}.`],
  'slot-ms': ['COUNT', `Milliseconds per slot of the local chain. Default: ${SLOT_MS}.`],
  'finality-slots': ['COUNT', `Slots until finality of the local chain. Default: ${FINALITY_SLOTS}.`],
  'rpc-url': ['URL', 'RPC of another cluster, which must have a faucet. Default: a local chain.'],
  'data-dir': ['DIR', 'Folder that keeps the data for the next start. Default: in memory.'],
  origin: ['ORIGIN', 'Origin of a page whose dev server forwards /api and /artifacts. Default: the site.'],
} as const;

type Option = keyof typeof OPTIONS;

/** Options of the local chain. */
const LOCAL_OPTIONS = ['rpc-port', 'slot-ms', 'finality-slots'] as const;

/** The command line, read. */
export interface CommandLine {
  readonly ports: { readonly site: number; readonly rpc: number; readonly verifier: number };
  readonly rpcUrl: string | undefined;
  readonly slotMs: number | undefined;
  readonly finalitySlots: number | undefined;
  readonly dataDirectory: string | undefined;
  readonly origin: string | undefined;
}

/** An invalid command line. The message has one line, and says what to do. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
  /** 1 if the command line cannot be read, 2 if a value is invalid. */
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the text of `--help`. */
export function usage(): string {
  const rows = Object.entries(OPTIONS).map(
    ([name, [value, description]]) => `  ${`--${name} ${value}`.padEnd(24)}${description}`,
  );
  return [
    'npm start -- [options]',
    '',
    'Runs the development stack until Ctrl-C, and writes deployment.json for the examples.',
    '',
    ...rows,
    '',
    'packages/development/README.md explains the stack.',
  ].join('\n');
}

/**
 * Reads the options. Returns null for `--help`.
 *
 * @throws CommandLineError when an option is unknown or invalid
 */
export function readCommandLine(args: readonly string[]): CommandLine | null {
  const { help, ...values } = parseOptions(args);
  if (help) return null;
  const { 'rpc-url': rpcUrl } = values;
  const unused = rpcUrl === undefined ? undefined : LOCAL_OPTIONS.find((name) => values[name] !== undefined);
  if (unused)
    throw new CommandLineError(
      2,
      `--${unused} is for the local chain. Leave it out, or leave out --rpc-url.`,
    );
  const number = (name: Option) => wholeNumber(name, values[name]);
  return {
    ports: {
      site: number('site-port') ?? PORTS.site,
      rpc: number('rpc-port') ?? PORTS.rpc,
      verifier: number('verifier-port') ?? PORTS.verifier,
    },
    rpcUrl,
    slotMs: number('slot-ms'),
    finalitySlots: number('finality-slots'),
    dataDirectory: values['data-dir'],
    origin: values.origin,
  };
}

function parseOptions(args: readonly string[]): { [K in Option]?: string } & { help?: boolean } {
  const texts = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options: { ...texts, help: { type: 'boolean' } } }).values;
  } catch (error) {
    // Later sentences of Node are about arguments that this command does not have.
    const [what] = (error as Error).message.split(/\.\s/, 1);
    throw new CommandLineError(1, `${what}. Run npm start -- --help, which lists the options.`);
  }
}

function wholeNumber(name: Option, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= 0) return number;
  throw new CommandLineError(2, `--${name} is ${JSON.stringify(text)}. Pass a whole number of 0 or more.`);
}
