/**
 * `npm run demo`: runs the walk on a real SVM with real proofs. Prints a line for each step, then a summary.
 * Exits with 0 only if every step succeeds. `--program FILE` and `--artifacts-directory FOLDER` replace the committed ones.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `npm run demo -- [options]

Runs every step of the service with three wallets, on a real SVM with real proofs, in about half a minute.

  --program FILE                The program. A file of the same name with .sha256 at the end must contain its digest.
  --artifacts-directory FOLDER  The proof artifacts. Default: the committed ones.`;

const { values } = parseArgs({
  options: {
    program: { type: 'string' },
    'artifacts-directory': { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
// Load the stack only now: that takes seconds, and --help does not need it.
const [{ startStack }, { disposeProver }, { default: pino }, { printedReport, tableOf }, { walk }] =
  await Promise.all([
    import('@service/development'),
    import('@service/sdk'),
    import('pino'),
    import('../walk/print-report.ts'),
    import('../walk/walk.ts'),
  ]);
const artifacts = values['artifacts-directory'];
const started = performance.now();
const elapsed = () => `${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s`;
const { report, steps } = printedReport((line) => console.log(`${elapsed()} ${line}`));

try {
  const stack = await startStack({
    ports: { site: 0, rpc: 0, verifier: 0 },
    slotMs: 100,
    finalitySlots: 8,
    pollIntervalMs: 100,
    log: pino({ level: process.env.LOG_LEVEL ?? 'error' }, pino.destination(2)),
    onStep: (line) => console.log(`${elapsed()}    ${line}`),
    ...(values.program ? { programFile: resolve(values.program) } : {}),
    ...(artifacts ? { artifactsFolder: resolve(artifacts) } : {}),
  });
  try {
    await walk({ deployment: stack.deployment, report });
  } finally {
    await disposeProver();
    await stack.close();
  }
  console.log(`\n${tableOf(steps)}`);
  console.log(`\nAll ${steps.length} steps succeeded in ${elapsed().trim()}.`);
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
}
