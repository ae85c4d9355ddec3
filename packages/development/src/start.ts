/**
 * `npm start`: runs the development stack until Ctrl-C and writes deployment.json for the examples.
 * `--site-port`, `--rpc-port`, `--verifier-port`, `--slot-ms` and `--finality-slots` change the defaults 3000, 8899, 3001, 200
 * and 8.
 * `--rpc-url URL` runs on this cluster, which must have a faucet, in place of a local chain.
 * `--data-dir DIR` keeps chain and database in a folder for the next start.
 * `--origin http://localhost:5173` is the origin of a page whose dev server forwards /api and /artifacts to the site.
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { closeOnSignal, portTaken } from '@service/server/process';
import pino from 'pino';
import { ClusterError } from './cluster/cluster-error.ts';
import { startStack } from './stack.ts';

/** Milliseconds until a stack that does not close is ended; requests and background steps take less. */
const CLOSE_MS = 15_000;
/** Milliseconds between two polls. Public RPCs limit how fast they can be called. */
const POLL_MS = { local: 100, remote: 1_000 };
const PORTS = { 'site-port': 3000, 'rpc-port': 8899, 'verifier-port': 3001 };
/** Options of the local chain. */
const LOCAL_OPTIONS = ['rpc-port', 'slot-ms', 'finality-slots'] as const;

const { values } = parseArgs({
  options: {
    'site-port': { type: 'string' },
    'rpc-url': { type: 'string' },
    'rpc-port': { type: 'string' },
    'verifier-port': { type: 'string' },
    'slot-ms': { type: 'string' },
    'finality-slots': { type: 'string' },
    'data-dir': { type: 'string' },
    origin: { type: 'string' },
  },
});
const { 'rpc-url': rpcUrl } = values;
const unused = rpcUrl === undefined ? undefined : LOCAL_OPTIONS.find((name) => values[name] !== undefined);
if (unused) fail(`--${unused} is for the local chain. Leave it out, or leave out --rpc-url.`);

const abort = new AbortController();
const started = performance.now();
const print = (line: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' });
const starting = startStack({
  ports: {
    site: portOf('site-port'),
    rpc: portOf('rpc-port'),
    verifier: portOf('verifier-port'),
  },
  rpcUrl,
  ...(values.origin === undefined ? {} : { origin: values.origin }),
  dataDirectory: values['data-dir'],
  slotMs: wholeNumber('slot-ms'),
  finalitySlots: wholeNumber('finality-slots'),
  pollIntervalMs: rpcUrl === undefined ? POLL_MS.local : POLL_MS.remote,
  log,
  onStep: print,
  signal: abort.signal,
});
closeOnSignal({
  starting,
  delayMs: CLOSE_MS,
  log,
  onClosing() {
    print('stopping');
    abort.abort();
  },
});
try {
  const { deployment } = await starting;
  const file = resolve('deployment.json');
  await writeFile(file, `${JSON.stringify(deployment, null, 2)}\n`);
  print(`wrote ${file}`);
  print(`ready: ${deployment.baseUrl} (Ctrl-C stops it)`);
} catch (error) {
  if (!abort.signal.aborted) {
    const message = error instanceof Error ? error.message : String(error);
    console.error(`npm start failed: ${portTaken(error, anotherPort) ?? message}`);
    process.exit(error instanceof ClusterError && error.code === 'INVALID_URL' ? 2 : 1);
  }
}

function anotherPort(port: number): string {
  const names = Object.keys(PORTS) as (keyof typeof PORTS)[];
  const option = names.find((name) => portOf(name) === port) ?? 'site-port';
  return `run npm start -- --${option} ${port + 100}`;
}

function portOf(name: keyof typeof PORTS): number {
  return wholeNumber(name) ?? PORTS[name];
}

/** Returns the number in an option, or undefined without it. */
function wholeNumber(name: keyof typeof PORTS | (typeof LOCAL_OPTIONS)[number]): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  return fail(`--${name} is ${text}. Pass a whole number of 0 or more.`);
}

function fail(line: string): never {
  console.error(line);
  process.exit(2);
}
