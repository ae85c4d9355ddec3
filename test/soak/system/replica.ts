/** One server process under a supervisor, which starts it again whenever it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../e2e/support/child-process.ts';
import { becomes, pause } from '../wait.ts';
import { endWithCampaign } from './end-with-campaign.ts';

const CLOCK = pathToFileURL(join(import.meta.dirname, 'shift-clock.mjs')).href;
/** Milliseconds that the supervisor waits before it starts a process that failed. */
const RESTART_MS = 300;
const START_MS = 60_000;

/** An end of a process that the campaign did not ask for. */
export interface UnexpectedExit {
  readonly replica: string;
  readonly code: number | string;
  /** Whether it had listened before. A server whose database or RPC is down may end at its start, by documentation. */
  readonly hadListened: boolean;
}

/** What a replica runs. */
export interface ReplicaOptions {
  readonly name: string;
  /** The JavaScript file of the server. */
  readonly file: string;
  readonly env: Record<string, string>;
  /** The folder of its log, which also is its working directory. */
  readonly folder: string;
}

/** A server process and its supervisor. */
export type Replica = Awaited<ReturnType<typeof createReplica>>;

/** Creates a replica that does not run yet. */
export async function createReplica({ name, file, env, folder }: ReplicaOptions) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(join(folder, `${name}.log`), 'a');
  const note = (line: string) => void writeSync(log, `--- ${new Date().toISOString()} ${line}\n`);
  const exits: UnexpectedExit[] = [];
  let child: ChildProcess | null = null;
  let ended: Promise<unknown> = Promise.resolve();
  let isWanted = false;
  let isListening = false;
  let shiftMs = 0;

  endWithCampaign(() => {
    isWanted = false;
    child?.kill('SIGKILL');
  });
  const launch = () => {
    const clock = shiftMs === 0 ? [] : ['--import', CLOCK];
    const launched = spawn(process.execPath, [...clock, file], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env, PORT: `${port}`, SOAK_CLOCK_SHIFT_MS: `${shiftMs}` },
      stdio: ['ignore', log, log],
    });
    note(`started as ${launched.pid}, clock ${shiftMs} ms`);
    child = launched;
    isListening = false;
    void awaitListening(launched);
    ended = once(launched, 'exit').then(async ([code, signal]) => {
      note(`ended with ${code ?? signal}`);
      if (child === launched) child = null;
      if (!isWanted) return;
      exits.push({ replica: name, code: code ?? signal, hadListened: isListening });
      isListening = false;
      await pause(RESTART_MS);
      if (isWanted && !child) launch();
    });
  };
  const awaitListening = async (launched: ChildProcess) => {
    await becomes(
      async () => {
        if (child !== launched) return true;
        const response = await fetch(`${url}/api/health/live`, { signal: AbortSignal.timeout(2_000) });
        if (response.ok && child === launched) isListening = true;
        return isListening;
      },
      { ms: START_MS },
    );
  };
  const end = async (signal: NodeJS.Signals) => {
    isWanted = false;
    isListening = false;
    const ending = ended;
    child?.kill('SIGCONT');
    child?.kill(signal);
    await ending;
  };

  return {
    name,
    url,
    exits,
    /** Whether it listens and is not frozen. */
    get isLive() {
      return isListening;
    },
    start(): void {
      isWanted = true;
      if (!child) launch();
    },
    /** Ends it without warning, and lets the supervisor start it. */
    async kill(): Promise<void> {
      await end('SIGKILL');
      isWanted = true;
      if (!child) launch();
    },
    /** Starts it again with a clock that is wrong by some milliseconds. */
    async restartWithClock(ms: number): Promise<void> {
      shiftMs = ms;
      // SIGTERM releases its leases, so the clock is the only fault.
      await end('SIGTERM');
      isWanted = true;
      if (!child) launch();
    },
    freeze: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    /** Asks it to end, as an operator does. Returns its exit code or signal. */
    async stop(): Promise<void> {
      await end('SIGTERM');
    },
    close: () => closeSync(log),
    untilLive: () => becomes(() => isListening, { ms: START_MS }),
  };
}
