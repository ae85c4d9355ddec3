/** The person who proves: verified once in a run, at a stack that all rows share. */
import { type Measured, startProcess } from './measured-process.ts';

let stack: Measured | undefined;
let person: Promise<string> | undefined;

/** Returns the environment of processes that prove. Starts the stack at the first call. */
export async function personEnv(): Promise<{ BENCH_PERSON: string }> {
  stack ??= startProcess('stack.ts');
  person ??= stack.ask<object>('person').then((found) => JSON.stringify(found));
  return { BENCH_PERSON: await person };
}

/** Ends the stack, if it was started. */
export async function endStack(): Promise<void> {
  await stack?.close();
}
