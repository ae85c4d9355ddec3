import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { closeOnSignal, portTaken } from '@service/process';
import type { EventReceiver } from '@service/server';
import pino from 'pino';
import { buildDemo, createDemoDirectory } from './build-demo.ts';
import { ClusterError } from './cluster/cluster-error.ts';
import type { CommandLine } from './command-line.ts';
import { writeNewFile } from './data-folder/write-new-file.ts';
import { SLOT_MS } from './defaults.ts';
import type { Deployment } from './deployment.ts';
import { startStack } from './stack.ts';
import { shellFile } from './verifier-variables.ts';

/** Milliseconds until a stack that does not close is ended; requests and background steps take less. */
const CLOSE_MS = 15_000;
/** Milliseconds between two polls: a slot of the local chain. Public RPCs limit how fast they can be called. */
const POLL_MS = { local: SLOT_MS, remote: 1_000 };

/** Moves the time of the local chain an hour forward. Windows has no such signal. */
const HOUR_SIGNAL = 'SIGALRM';
const HOUR_SECONDS = 3_600n;

/** Runs a verifier with the manual provider, in this folder. */
const START_VERIFIER = '(set -a; . ./verifier.env; . examples/verifier/manual.env; npm run verifier)';

/** What `npm start` runs with. */
export interface Options extends CommandLine {
  readonly events: EventReceiver | undefined;
}

/** Runs the stack until Ctrl-C. Ends the process if it does not start. */
export async function run(options: Options): Promise<void> {
  const abort = new AbortController();
  const started = performance.now();
  const print = (line: string) =>
    console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

  // The build runs while the chain and the database start. The stack also works without the demo.
  const pagesDirectory = options.demo ? createDemoDirectory() : undefined;
  const building = pagesDirectory
    ? buildDemo({ onStep: print, signal: abort.signal, directory: pagesDirectory }).then(
        () => true,
        (error: Error) => {
          if (!abort.signal.aborted) console.error(`The demo was not built. ${error.message}`);
          return false;
        },
      )
    : false;
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' });
  const starting = startStack({
    ports: options.ports,
    rpcUrl: options.rpcUrl,
    ...(options.origin === undefined ? {} : { origin: options.origin }),
    verifier: options.verifier,
    pagesDirectory,
    dataDirectory: options.dataDirectory,
    slotMs: options.slotMs,
    finalitySlots: options.finalitySlots,
    pollIntervalMs: options.rpcUrl === undefined ? POLL_MS.local : POLL_MS.remote,
    events: options.events,
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
    const { deployment, skipTime, verifierVariables } = await starting;
    if (options.rpcUrl === undefined && process.platform !== 'win32') {
      process.on(HOUR_SIGNAL, () => {
        skipTime(HOUR_SECONDS);
        print('the chain is an hour later');
      });
    }
    const file = resolve('deployment.json');
    await writeFile(file, `${JSON.stringify(deployment, null, 2)}\n`);
    print(`wrote ${file}`);
    if (verifierVariables) {
      const variables = resolve('verifier.env');
      await writeNewFile(variables, shellFile(verifierVariables));
      print(`wrote ${variables}, which contains keys`);
    }
    const hasDemo = await building;
    if (!abort.signal.aborted) printPlaces(deployment, options, print, hasDemo);
  } catch (error) {
    if (!abort.signal.aborted) {
      // Ends the build of the demo.
      abort.abort();
      const message = error instanceof Error ? error.message : String(error);
      console.error(`npm start failed: ${portTaken(error, (port) => anotherPort(options, port)) ?? message}`);
      process.exit(error instanceof ClusterError && error.code === 'INVALID_URL' ? 2 : 1);
    }
  }
}

/** Prints where everything is. */
function printPlaces(
  { baseUrl, rpcUrl, verifierOrigins }: Deployment,
  options: Options,
  print: (line: string) => void,
  hasDemo: boolean,
): void {
  const site = options.origin === undefined ? `${baseUrl}/deployment.json` : 'deployment.json';
  const places = {
    ...(hasDemo ? { demo: baseUrl } : {}),
    API: `${baseUrl}/api/docs`,
    RPC: rpcUrl,
    verifier: verifierOrigins.join(', '),
    deployment: site,
    options: 'npm start -- --help',
  };
  for (const [name, place] of Object.entries(places)) print(`  ${name.padEnd(12)}${place}`);
  const until = options.origin === undefined ? '' : ' once your page’s server runs';
  if (!options.verifier) {
    print('start a verifier in another terminal, with a MANUAL_PASSWORD of your own (docs/verifiers.md):');
    print(`  ${START_VERIFIER}`);
  }
  print(`ready: ${baseUrl}${until} (Ctrl-C or kill ${process.pid} stops it)`);
}

function anotherPort({ ports }: Options, port: number): string {
  const names = ['site', 'rpc', 'verifier'] as const;
  const name = names.find((each) => ports[each] === port) ?? 'site';
  return `run npm start -- --${name}-port ${port + 100}. The last line of an earlier npm start has the command that stops it.`;
}
