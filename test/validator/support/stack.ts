/** The stack on the validator, for the test files of this folder. */
import type { Deployment } from '@service/development';
import { test } from 'vitest';
import { progressSince } from './progress.ts';

/** What main.ts passes: the stack, the start in Unix milliseconds, and whether `--hour` was given. */
const { VALIDATOR_RUN: json } = process.env;
const run = json
  ? (JSON.parse(json) as { deployment: Deployment; startedAt: number; waitsAnHour: boolean })
  : null;

/** The running stack. Only for use within {@link onValidator}. */
export const deployment = run?.deployment as Deployment;

/** Whether tests may wait for an hour of the chain. */
export const waitsAnHour = run?.waitsAnHour ?? false;

/** Defines a test that is skipped without a validator. */
export const onValidator = test.skipIf(run === null);

/** Prints a line of progress. */
export const progress = progressSince(run?.startedAt ?? Date.now());

/** Runs a step and prints what it is and how long it took. */
export async function step<T>(what: string, act: () => Promise<T>): Promise<T> {
  const started = performance.now();
  progress(`   … ${what}`);
  const result = await act();
  progress(` ✔ ${what} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return result;
}

/** Returns the URL of the subscriptions: a validator has them on the port after the RPC's. */
export function websocketUrlOf(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port !== '') url.port = String(Number(url.port) + 1);
  return url.href;
}
