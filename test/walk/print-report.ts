/** Prints the progress of a walk, and a table at the end. */
import type { Report, StepResult } from './walk-state.ts';

/** A report that prints, and the steps that it has printed. */
export function printedReport(print: (line: string) => void) {
  const steps: StepResult[] = [];
  const report: Report = {
    waiting: (line) => print(`   … ${line}`),
    done(step) {
      steps.push(step);
      const { what, state, seconds, computeUnits, signature } = step;
      const units = computeUnits === undefined ? undefined : `${computeUnits} CU`;
      const cells = [state, `${seconds.toFixed(1)} s`, units, signature];
      print(` ✔ ${what}\n${' '.repeat(11)}${cells.filter((cell) => cell !== undefined).join('  ')}`);
    },
  };
  return { report, steps };
}

/** Formats a table of the steps with their seconds and compute units. */
export function tableOf(steps: readonly StepResult[]): string {
  const rows = steps.map(({ what, state, seconds, computeUnits }) => {
    const numbers = `${seconds.toFixed(1).padStart(9)}  ${String(computeUnits ?? '').padStart(13)}`;
    return `${numbers}  ${state.padEnd(34)}  ${what}`;
  });
  return ['  seconds  compute units  state                               step', ...rows].join('\n');
}
