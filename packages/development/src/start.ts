/** `npm start`: runs the development stack until Ctrl-C and writes deployment.json for the examples. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { closeOnSignal, portTaken } from '@service/server/process';
import pino from 'pino';
import { ClusterError } from './cluster/cluster-error.ts';
import { type CommandLine, CommandLineError, readCommandLine, usage } from './command-line.ts';
import { startStack } from './stack.ts';

/** Milliseconds until a stack that does not close is ended; requests and background steps take less. */
const CLOSE_MS = 15_000;
/** Milliseconds between two polls. Public RPCs limit how fast they can be called. */
const POLL_MS = { local: 100, remote: 1_000 };

const options = readOptions();
const abort = new AbortController();
const started = performance.now();
const print = (line: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' });
const starting = startStack({
  ports: options.ports,
  rpcUrl: options.rpcUrl,
  ...(options.origin === undefined ? {} : { origin: options.origin }),
  dataDirectory: options.dataDirectory,
  slotMs: options.slotMs,
  finalitySlots: options.finalitySlots,
  pollIntervalMs: options.rpcUrl === undefined ? POLL_MS.local : POLL_MS.remote,
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

/** Reads the command line. Ends the process for `--help`, and for an invalid option. */
function readOptions(): CommandLine {
  try {
    const read = readCommandLine(process.argv.slice(2));
    if (read) return read;
    console.log(usage());
    process.exit(0);
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    console.error(error.message);
    process.exit(error.exitCode);
  }
}

function anotherPort(port: number): string {
  const names = ['site', 'rpc', 'verifier'] as const;
  const name = names.find((each) => options.ports[each] === port) ?? 'site';
  return `run npm start -- --${name}-port ${port + 100}`;
}
