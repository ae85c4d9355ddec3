import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildDemo, DemoError } from './build-demo.ts';

let folder: string;
let directory: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-'));
  directory = join(folder, 'page');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Builds with shell scripts in place of npm. */
const build = (scripts: readonly (readonly string[])[], signal = new AbortController().signal) => {
  const lines: string[] = [];
  const steps = scripts.map((step, index) => ({
    what: `step ${index}`,
    commands: step.map((script) => ['-c', script]),
  }));
  const built = buildDemo({ onStep: (line) => lines.push(line), signal, steps, program: 'sh', directory });
  return { lines, built };
};

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('runs the steps in their order, and shows the result only at the end', async () => {
  const { lines, built } = build([
    ['true', 'true'],
    [`mkdir ${directory}.new && printf page > ${directory}.new/index.html`],
    [`test ! -e ${directory}`],
  ]);
  await built;
  expect(lines).toEqual(['step 0', 'step 1', 'step 2']);
  expect(readFileSync(join(directory, 'index.html'), 'utf8')).toBe('page');
});

it('fails with the end of the output, ends the other commands, runs no further step, and leaves no page', async () => {
  const { lines, built } = build([
    [`mkdir ${directory}.new; echo working; echo broken >&2; exit 3`, 'exec sleep 600'],
    ['true'],
  ]);
  const error = await built.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DemoError);
  expect(String(error)).toMatch(/ended with 3:\n(working\nbroken|broken\nworking)$/);
  expect(lines).toEqual(['step 0']);
  expect(existsSync(directory)).toBe(false);
});

it('ends the commands and their children when it is stopped', async () => {
  const file = join(folder, 'pids');
  const abort = new AbortController();
  const { built } = build(
    [[`sleep 600 & echo $$ $! > ${file}.new; mv ${file}.new ${file}; wait`]],
    abort.signal,
  );
  const stopped = expect(built).rejects.toThrow('was stopped');
  const pids = await vi.waitFor(() => readFileSync(file, 'utf8').trim().split(' ').map(Number), {
    timeout: 60_000,
  });
  expect(pids.every(isRunning)).toBe(true);
  abort.abort();
  await stopped;
  await vi.waitFor(() => expect(pids.some(isRunning)).toBe(false), { timeout: 60_000 });
});

it('names a program that does not exist', async () => {
  const { signal } = new AbortController();
  const steps = [{ what: 'a step', commands: [['run']] }];
  const built = buildDemo({ onStep: () => undefined, signal, steps, program: 'no-such-program', directory });
  await expect(built).rejects.toThrow('no-such-program run did not start');
});
