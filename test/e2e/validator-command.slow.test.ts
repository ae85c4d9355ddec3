/** `npm run test:validator` without a validator, with localnet in its place, and with programs that are not a validator. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Localnet } from '@service/localnet';
import { afterAll, expect, test, vi } from 'vitest';
import { startValidator } from '../validator/support/start-validator.ts';
import { killAll, ROOT, startChild } from './support/child-process.ts';

// Long enough for a machine that is busy with other work.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const folder = mkdtempSync(join(tmpdir(), 'validator-command-'));
afterAll(async () => {
  await killAll();
  rmSync(folder, { recursive: true });
});

const command = (env: Record<string, string>, ...args: string[]) =>
  startChild('test/validator/main.ts', { env, args, cwd: ROOT });

/** Writes a program that writes its process id and its arguments to files, and then runs until it is ended. */
function hangingProgram(name: string) {
  const file = join(folder, name);
  const lines = ['#!/bin/sh', `echo "$@" > ${file}.args`, `echo $$ > ${file}.pid`, 'exec sleep 3600', ''];
  writeFileSync(file, lines.join('\n'), { mode: 0o700 });
  const read = (what: 'pid' | 'args') => readFileSync(`${file}.${what}`, 'utf8').trim();
  return {
    file,
    isStarted: () => existsSync(`${file}.pid`) && read('pid') !== '',
    ledger: () => /--ledger (\S+)/.exec(read('args'))![1]!,
    isRunning() {
      try {
        return process.kill(Number(read('pid')), 0);
      } catch {
        return false;
      }
    },
  };
}
const moment = () => new Promise((resolve) => setTimeout(resolve, 50));

test('without TEST_VALIDATOR it says what it skips and why, and exits with 0', async () => {
  const child = command({});
  expect([await child.ended, child.stderr()]).toEqual([0, '']);
  expect(child.stdout()).toMatch(/^SKIPPED: the walk, .*\nWhy: TEST_VALIDATOR is not set\./);
});

test('on the URL of a cluster it runs the tests, and prints each step with its time', async () => {
  const net = Localnet.start({ slotMs: 100, finalitySlots: 2 });
  const { url } = await net.listen({ port: 0 });
  const child = command({ TEST_VALIDATOR: url }, 'standard-clients');
  expect(await child.ended, child.stdout() + child.stderr()).toBe(0);
  await net.stop();
  expect(child.stdout()).toMatch(/ s {2}✔ kit: sendAndConfirmTransactionFactory at finalized \([\d.]+ s\)/);
  expect(child.stdout()).not.toMatch(/skipped/);
});

test('a program that ends or never responds is an error, and leaves nothing behind', async () => {
  const print = () => undefined;
  await expect(startValidator(join(folder, 'none'), { print })).rejects.toThrow('which is not a program');
  await expect(startValidator(process.execPath, { print })).rejects.toThrow(
    /^The validator ended with 9\. .*bad option/,
  );
  const slow = startValidator(hangingProgram('slow').file, { print, timeoutMs: 1 });
  await expect(slow).rejects.toThrow('The validator did not respond within 0.001 s.');
  const hanging = hangingProgram('hanging');
  const abort = new AbortController();
  const starting = startValidator(hanging.file, { print, signal: abort.signal });
  while (!hanging.isStarted()) await moment();
  abort.abort();
  await expect(starting).rejects.toThrow('aborted');
  expect(hanging.isRunning()).toBe(false);
  expect(existsSync(join(hanging.ledger(), '..'))).toBe(false);
});

test.each(['SIGKILL', 'SIGTERM'] as const)('%s ends the validator too', async (signal) => {
  const hanging = hangingProgram(signal);
  const child = command({ TEST_VALIDATOR: hanging.file });
  while (!hanging.isStarted()) await moment();
  expect(hanging.isRunning()).toBe(true);
  child.kill(signal);
  expect(await child.ended).toBe(signal === 'SIGKILL' ? signal : 1);
  while (hanging.isRunning() || existsSync(join(hanging.ledger(), '..'))) await moment();
});
