/**
 * `npm run test:validator`: starts the validator that TEST_VALIDATOR names and the service on it, once, and runs the tests of
 * this folder. Arguments choose test files, as vitest's do. With `--hour`, the walk of a person waits for the hour that a place is
 * held. Exits with 0 if every test passed, or if there is no validator. ARTIFACTS_DIRECTORY names other proof artifacts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Deployment } from '@service/development';
import pino from 'pino';
import { progressSince } from './support/progress.ts';
import { startValidator } from './support/start-validator.ts';

const args = process.argv.slice(2).filter((arg) => arg !== '--hour');
const waitsAnHour = args.length < process.argv.length - 2;
/** Minutes after which a run is ended, whatever hangs. */
const LIMIT_MINUTES = waitsAnHour ? 150 : 60;
const POLL_MS = 200;
const CONFIG = fileURLToPath(new URL('vitest.config.ts', import.meta.url));
const VITEST = fileURLToPath(new URL('./vitest.mjs', import.meta.resolve('vitest/package.json')));

const SKIPPED = `SKIPPED: the walk, the standard clients, the reads of the bound mint, and the matrix of wallets on a real validator.
Why: TEST_VALIDATOR is not set. These tests need a validator, which this project does not contain.
Set TEST_VALIDATOR to the path of a solana-test-validator, or to the RPC URL of a running cluster with a faucet.`;

const startedAt = Date.now();
const print = progressSince(startedAt);
const { TEST_VALIDATOR: named, ARTIFACTS_DIRECTORY: artifacts } = process.env;
if (named) await run(named);
else console.log(SKIPPED);

async function run(named: string): Promise<void> {
  const abort = new AbortController();
  const late = setTimeout(() => {
    print(`FAILED: the run did not end within ${LIMIT_MINUTES} minutes`);
    // The keeper then ends the validator.
    process.exit(1);
  }, LIMIT_MINUTES * 60_000);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => abort.abort());
  const closers: (() => Promise<void>)[] = [];
  try {
    let rpcUrl = named;
    if (!/^https?:/.test(named)) {
      const validator = await startValidator(named, { print, signal: abort.signal });
      closers.push(validator.stop);
      rpcUrl = validator.rpcUrl;
    }
    // Load the stack only now: that takes seconds, and a validator may be missing, or never respond.
    const { startStack } = await import('@service/development');
    const stack = await startStack({
      ports: { site: 0, rpc: 0, verifier: 0 },
      rpcUrl,
      pollIntervalMs: POLL_MS,
      ...(artifacts ? { artifactsFolder: resolve(artifacts) } : {}),
      log: pino({ level: process.env.LOG_LEVEL ?? 'error' }, pino.destination(2)),
      onStep: print,
      signal: abort.signal,
    });
    closers.push(() => stack.close());
    process.exitCode = await runTests(stack.deployment, abort.signal);
  } catch (error) {
    print(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    print('stopping');
    for (const closer of closers.splice(0).reverse()) await closer();
    clearTimeout(late);
    print('stopped');
  }
}

/** Runs vitest and returns its exit code. */
async function runTests(deployment: Deployment, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const env = { ...process.env, VALIDATOR_RUN: JSON.stringify({ deployment, startedAt, waitsAnHour }) };
  const tests = spawn(process.execPath, [VITEST, 'run', '--config', CONFIG, ...args], {
    stdio: 'inherit',
    env,
  });
  signal.addEventListener('abort', () => tests.kill());
  const [code] = await once(tests, 'close');
  return code ?? 1;
}
