/**
 * `npm run demo`: runs the walk on a real SVM with real proofs. Prints a line for each step, then a summary.
 * Exits with 0 only if every step succeeds. `--program FILE` and `--artifacts FOLDER` replace the committed ones.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startStack } from '@service/development';
import { disposeProver } from '@service/sdk';
import pino from 'pino';
import { walk } from '../walk/walk.ts';
import type { StepResult } from '../walk/walk-state.ts';

const { values } = parseArgs({ options: { program: { type: 'string' }, artifacts: { type: 'string' } } });
const started = performance.now();
const steps: StepResult[] = [];
const elapsed = () => `${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s`;

function doneLine({ what, state, signature, computeUnits, seconds }: StepResult): string {
  const units = computeUnits === undefined ? undefined : `${computeUnits} CU`;
  const cells = [state, `${seconds.toFixed(1)} s`, units, signature];
  return `${what}\n${' '.repeat(11)}${cells.filter((cell) => cell !== undefined).join('  ')}`;
}

try {
  const stack = await startStack({
    ports: { site: 0, rpc: 0, verifier: 0 },
    slotMs: 100,
    finalitySlots: 8,
    pollIntervalMs: 50,
    log: pino({ level: process.env.LOG_LEVEL ?? 'error' }, pino.destination(2)),
    onStep: (line) => console.log(`${elapsed()}    ${line}`),
    ...(values.program ? { programFile: resolve(values.program) } : {}),
    ...(values.artifacts ? { artifactsFolder: resolve(values.artifacts) } : {}),
  });
  try {
    await walk({
      deployment: stack.deployment,
      report: {
        waiting: (line) => console.log(`${elapsed()}    … ${line}`),
        done: (step) => {
          steps.push(step);
          console.log(`${elapsed()}  ✔ ${doneLine(step)}`);
        },
      },
    });
  } finally {
    await disposeProver();
    await stack.close();
  }
  console.log('\n  seconds  compute units  state                               step');
  for (const { what, state, seconds, computeUnits } of steps) {
    const numbers = `${seconds.toFixed(1).padStart(9)}  ${String(computeUnits ?? '').padStart(13)}`;
    console.log(`${numbers}  ${state.padEnd(34)}  ${what}`);
  }
  console.log(`\nAll ${steps.length} steps succeeded in ${elapsed().trim()}.`);
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
}
