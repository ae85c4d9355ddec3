/** Builds the demo, the dApp in examples/react, for `npm start`. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

interface Step {
  readonly what: string;
  /** Commands that run at the same time. */
  readonly commands: readonly (readonly string[])[];
}

/** Returns the steps of the build, with commands of npm. The demo imports the built packages, as a dApp does. */
const stepsInto = (folder: string): readonly Step[] => [
  {
    what: 'building the SDK and the test tools for the demo',
    commands: [
      ['run', 'build:js', '-w', '@service/sdk'],
      ['run', 'build:js', '-w', '@service/testing'],
    ],
  },
  {
    what: 'building the demo',
    commands: [['run', 'build', '-w', '@service/example-react', '--', '--outDir', folder]],
  },
];

/** A build that takes longer hangs. */
const TIMEOUT_MS = 300_000;
/** The end of a failed build's output has the error. */
const OUTPUT_LINES = 30;

/** The demo was not built. The message has the end of the output. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

/** Options of `buildDemo`. */
export interface BuildDemoOptions {
  /** Called with a line for each step. */
  readonly onStep: (line: string) => void;
  /** Ends the build and its processes. */
  readonly signal: AbortSignal;
  /** Folder of the result. It must not exist yet. */
  readonly directory: string;
  /** Steps to run. They build into `${directory}.new`. @default those of the demo */
  readonly steps?: readonly Step[];
  /** The program that runs the commands. @default npm */
  readonly program?: string;
}

/** Returns a folder for the demo of this process, which ends with it. So two stacks share no page. */
export function createDemoDirectory(): string {
  const parent = mkdtempSync(join(tmpdir(), 'demo-'));
  process.once('exit', () => rmSync(parent, { recursive: true, force: true }));
  return join(parent, 'page');
}

/**
 * Builds the demo in child processes. The folder appears at the end of a successful build, and is whole.
 *
 * @throws DemoError
 */
export async function buildDemo({
  onStep,
  signal,
  directory,
  steps = stepsInto(`${directory}.new`),
  program = 'npm',
}: BuildDemoOptions): Promise<void> {
  // If one command fails, the others end too.
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  for (const { what, commands } of steps) {
    onStep(what);
    const results = await Promise.allSettled(
      commands.map((args) =>
        run(program, args, stop).catch((error: unknown) => {
          failed.abort();
          throw error;
        }),
      ),
    );
    const failure = results.find((result) => result.status === 'rejected');
    if (failure) throw failure.reason;
  }
  await rename(`${directory}.new`, directory);
}

/** Runs a command in its own process group, so that its children end with it. */
function run(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const command = [program, ...args].join(' ');
    if (signal.aborted) return reject(new DemoError(`${command} was stopped.`));
    const child = spawn(program, args, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It has ended already.
      }
    };
    signal.addEventListener('abort', end, { once: true });
    const settle = (error: DemoError | null) => {
      signal.removeEventListener('abort', end);
      if (error) reject(error);
      else resolve();
    };
    child.once('error', ({ message }) => settle(new DemoError(`${command} did not start: ${message}`)));
    child.once('close', (code) => {
      if (code === 0) return settle(null);
      if (signal.aborted) return settle(new DemoError(`${command} was stopped.`));
      const lines = output.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n');
      settle(new DemoError(`${command} ended with ${code}:\n${lines}`));
    });
  });
}
