/**
 * `npm start`: runs the development stack until Ctrl-C and writes deployment.json for the examples.
 * `--site-port`, `--rpc-port`, `--verifier-port`, `--slot-ms` and `--finality-slots` change the defaults 3000, 8899, 3001, 200
 * and 8.
 * `--data-dir DIR` keeps chain and database in a folder for the next start.
 * `--origin http://localhost:5173` is the origin of a page whose dev server forwards /api and /artifacts to the site.
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { closeOnSignal, portTaken } from '@service/server/process';
import pino from 'pino';
import { startStack } from './stack.ts';

/** Milliseconds until a stack that does not close is ended; requests and background steps take less. */
const CLOSE_MS = 15_000;

const { values } = parseArgs({
  options: {
    'site-port': { type: 'string', default: '3000' },
    'rpc-port': { type: 'string', default: '8899' },
    'verifier-port': { type: 'string', default: '3001' },
    'slot-ms': { type: 'string', default: '200' },
    'finality-slots': { type: 'string', default: '8' },
    'data-dir': { type: 'string' },
    origin: { type: 'string' },
  },
});
const abort = new AbortController();
const started = performance.now();
const print = (line: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' });
const starting = startStack({
  ports: {
    site: wholeNumber('site-port'),
    rpc: wholeNumber('rpc-port'),
    verifier: wholeNumber('verifier-port'),
  },
  ...(values.origin === undefined ? {} : { origin: values.origin }),
  dataDirectory: values['data-dir'],
  slotMs: wholeNumber('slot-ms'),
  finalitySlots: wholeNumber('finality-slots'),
  pollIntervalMs: 100,
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
    process.exit(1);
  }
}

function anotherPort(port: number): string {
  const ports = ['site-port', 'rpc-port', 'verifier-port'] as const;
  const option = ports.find((name) => Number(values[name]) === port) ?? 'site-port';
  return `run npm start -- --${option} ${port + 100}`;
}

function wholeNumber(name: Exclude<keyof typeof values, 'origin' | 'data-dir'>): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 0) return number;
  console.error(`--${name} is ${values[name]}. Pass a whole number of 0 or more.`);
  process.exit(2);
}
