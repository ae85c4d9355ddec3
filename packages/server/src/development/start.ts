/**
 * `npm start`: the development stack until Ctrl-C; writes deployment.json for the examples.
 * `--site-port`, `--rpc-port`, `--verifier-port` and `--slot-ms` take other numbers than 3000, 8899, 3001 and 200.
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { startStack } from './stack.ts';

const { values } = parseArgs({
  options: {
    'site-port': { type: 'string', default: '3000' },
    'rpc-port': { type: 'string', default: '8899' },
    'verifier-port': { type: 'string', default: '3001' },
    'slot-ms': { type: 'string', default: '200' },
  },
});
const abort = new AbortController();
const started = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

const stack = await startStack({
  ports: {
    site: wholeNumber('site-port'),
    rpc: wholeNumber('rpc-port'),
    verifier: wholeNumber('verifier-port'),
  },
  slotMs: wholeNumber('slot-ms'),
  finalitySlots: 8,
  pollIntervalMs: 100,
  log: pino({ level: process.env.LOG_LEVEL ?? 'warn' }),
  onStep: say,
  signal: abort.signal,
}).catch((error: unknown) => {
  console.error(
    `npm start failed: ${takenPort(error) ?? (error instanceof Error ? error.message : String(error))}`,
  );
  process.exit(1);
});

/** What to do about a port that another process has, as that of a stack that still runs; null for another error. */
function takenPort(error: unknown): string | null {
  const { code, port } = (error ?? {}) as { code?: unknown; port?: unknown };
  if (code !== 'EADDRINUSE') return null;
  const ports = ['site-port', 'rpc-port', 'verifier-port'] as const;
  const option = ports.find((name) => Number(values[name]) === port) ?? 'site-port';
  return `port ${port} is taken. End what uses it, or: npm start -- --${option} ${Number(port) + 100}`;
}

function wholeNumber(name: keyof typeof values): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 0) return number;
  console.error(`--${name} must be a whole number; got ${values[name]}`);
  process.exit(2);
}

const file = resolve('deployment.json');
await writeFile(file, `${JSON.stringify(stack.deployment, null, 2)}\n`);
say(`wrote ${file}`);
say(`ready: ${stack.deployment.baseUrl} (Ctrl-C stops it)`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(130);
    stopping = true;
    say('stopping');
    stack.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
