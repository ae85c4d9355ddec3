/** The command line of `npm start`. */
import { parseArgs } from 'node:util';
import { FINALITY_SLOTS, PORTS, SLOT_MS } from './defaults.ts';

/** The options, with their values and what they do. */
const OPTIONS = {
  'site-port': ['PORT', `Port of the site; 0 takes a free port. Default: ${PORTS.site}.`],
  'rpc-port': [
    'PORT',
    `Port of the local chain, whose WebSocket also uses the next port; 0 takes free ports. Default: ${PORTS.rpc}.`,
  ],
  'verifier-port': ['PORT', `Port of the verifier; 0 takes a free port. Default: ${PORTS.verifier}.`],
  'slot-ms': ['COUNT', `Milliseconds per slot of the local chain. Default: ${SLOT_MS}.`],
  'finality-slots': ['COUNT', `Slots until finality of the local chain. Default: ${FINALITY_SLOTS}.`],
  'rpc-url': ['URL', 'RPC of another cluster, which must have a faucet. Default: a local chain.'],
  'data-dir': ['DIR', 'Folder that keeps the data for the next start. Default: in memory.'],
  origin: [
    'ORIGIN',
    'Origin of a page whose dev server forwards /api and /artifacts. Does not build the demo. Default: the site.',
  ],
} as const;
/** The options without a value. */
const FLAGS = {
  'no-demo': 'Does not build and serve the demo, the page at /.',
  'no-verifier': 'Starts no verifier. Writes verifier.env, for npm run verifier at --verifier-port.',
} as const;

type Option = keyof typeof OPTIONS;
type Flag = keyof typeof FLAGS;

/** Options of the local chain. */
const LOCAL_OPTIONS = ['rpc-port', 'slot-ms', 'finality-slots'] as const;

const HIGHEST_PORT = 65_535;

/** The command line, read. */
export interface CommandLine {
  readonly ports: { readonly site: number; readonly rpc: number; readonly verifier: number };
  readonly rpcUrl: string | undefined;
  readonly slotMs: number | undefined;
  readonly finalitySlots: number | undefined;
  readonly dataDirectory: string | undefined;
  readonly origin: string | undefined;
  /** Whether to build the demo and serve it. */
  readonly demo: boolean;
  /** Whether to start the sandbox verifier. */
  readonly verifier: boolean;
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
  const options = Object.entries(OPTIONS).map(([name, [value, text]]) => [`${name} ${value}`, text] as const);
  const rows = [...options, ...Object.entries(FLAGS)].map(
    ([option, text]) => `  ${`--${option}`.padEnd(24)}${text}`,
  );
  return [
    'npm start -- [options]',
    '',
    'Runs the development stack with a demo at / until Ctrl-C, and writes deployment.json for the examples.',
    '',
    ...rows,
    '',
    'EVENTS_URL and EVENTS_SECRET are read from the environment: docs/events.md explains them.',
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
  if (values['no-verifier'] && number('verifier-port') === 0)
    throw new CommandLineError(
      2,
      '--verifier-port is 0. With --no-verifier, pass the port of your verifier.',
    );
  const ports = {
    site: number('site-port') ?? PORTS.site,
    rpc: number('rpc-port') ?? PORTS.rpc,
    verifier: number('verifier-port') ?? PORTS.verifier,
  };
  checkPorts(ports, rpcUrl === undefined);
  return {
    ports,
    rpcUrl,
    slotMs: number('slot-ms'),
    finalitySlots: number('finality-slots'),
    dataDirectory: values['data-dir'],
    origin: values.origin,
    demo: !values['no-demo'] && values.origin === undefined,
    verifier: !values['no-verifier'],
  };
}

/** Throws if two parts of the stack would use one port, or if a port is too high. Otherwise the start would blame another process. */
function checkPorts(ports: CommandLine['ports'], hasLocalChain: boolean): void {
  const used = new Map<number, string>();
  for (const { name, port, what } of usesOf(ports, hasLocalChain)) {
    if (port > HIGHEST_PORT) {
      const highest = HIGHEST_PORT - (port - ports[name]);
      throw new CommandLineError(2, `--${name}-port is ${ports[name]}. Pass ${highest} or less.`);
    }
    const other = used.get(port);
    if (other) {
      const message = `${other} and ${what} both use port ${port}. Pass another --${name}-port.`;
      throw new CommandLineError(2, message);
    }
    used.set(port, what);
  }
}

/** Returns each port that the stack uses, except those that it chooses. */
function* usesOf(ports: CommandLine['ports'], hasLocalChain: boolean) {
  for (const name of ['site', 'rpc', 'verifier'] as const) {
    const port = ports[name];
    if (port === 0 || (name === 'rpc' && !hasLocalChain)) continue;
    yield { name, port, what: `--${name}-port` };
    // Wallets look for subscriptions at the next port.
    if (name === 'rpc') yield { name, port: port + 1, what: '--rpc-port (its WebSocket, one port higher)' };
  }
}

function parseOptions(
  args: readonly string[],
): { [K in Option]?: string } & { [K in Flag | 'help']?: boolean } {
  const texts = Object.keys(OPTIONS).map((name) => [name, { type: 'string' as const }]);
  const flags = [...Object.keys(FLAGS), 'help'].map((name) => [name, { type: 'boolean' as const }]);
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries([...texts, ...flags]) }).values;
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
