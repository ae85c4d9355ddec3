/** `npm run bench`: measures the rows, prints the table and writes bench/results.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Limits, measure } from './measure.ts';
import { installPeers } from './peers.ts';
import { endStack } from './person.ts';
import { type Failure, type Result, type Results, worseThan } from './results.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows/index.ts';
import { tableHeading, tableLine } from './table.ts';

const HELP = `npm run bench -- [options]

  --only ID   measures this row, and leaves the others in bench/results.json as they are; repeat it for more rows
  --short     measures the rows whose ratio is steady, and compares them with bench/results.json
  --help      prints this text

The rows: ${ROWS.map(({ id }) => id).join(', ')}`;

/** A whole run ends in less than 15 minutes on two idle cores, because no row begins a round after `enoughMs`. */
const LIMITS = { enoughMs: 50_000, limitMs: 180_000 };
/** A short run ends in less than 2 minutes on two idle cores. */
const SHORT = { enoughMs: 20_000, limitMs: 60_000 };
const SHORT_ROUNDS = 7;
const FILE = new URL('../results.json', import.meta.url);

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const unknown = values.only?.find((id) => !ROWS.some((row) => row.id === id));
if (unknown !== undefined) {
  console.error(`There is no row ${unknown}.\n\n${HELP}`);
  process.exit(2);
}

const rows = ROWS.filter(
  ({ id, steady }) => (!values.only || values.only.includes(id)) && (!values.short || steady),
);
const committed: Results = JSON.parse(readFileSync(FILE, 'utf8'));
const measured: Result[] = [];
const failed: Failure[] = [];
const started = performance.now();
installPeers();
console.log(tableHeading());
try {
  for (const row of rows) {
    try {
      const result = await measure(row, limitsOf(row));
      measured.push(result);
      console.log(tableLine(result));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // The rest is a stack with paths of this machine.
      failed.push({ id: row.id, reason: reason.split('\n')[0]! });
      console.log(`${row.id} failed: ${reason}`);
      process.exitCode = 1;
    }
    // A run that is interrupted keeps the rows that it has.
    if (!values.short) write();
  }
} finally {
  await endStack();
}
for (const { id, whyMissed } of measured) if (whyMissed) console.log(`${id} misses its goal: ${whyMissed}`);
console.log(`${measured.length} rows in ${Math.round((performance.now() - started) / 1000)} s.`);
if (values.short) {
  const worse = worseThan(committed.rows, measured);
  if (worse.length > 0) {
    console.error(worse.join('\n'));
    process.exitCode = 1;
  }
}

function limitsOf({ rounds }: Row): Limits {
  return values.short ? { ...SHORT, rounds: Math.min(rounds, SHORT_ROUNDS) } : { ...LIMITS, rounds };
}

/** Writes the rows in the order of the table. A row that was not tried stays as it was. */
function write(): void {
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    node: process.version,
  };
  const tried = new Set([...measured, ...failed].map(({ id }) => id));
  const inOrder = <T extends { readonly id: string }>(now: readonly T[], before: readonly T[]) =>
    ROWS.flatMap(({ id }) => (tried.has(id) ? now : before).find((each) => each.id === id) ?? []);
  const results: Results = {
    machine,
    rows: inOrder(measured, committed.rows),
    failed: inOrder(failed, committed.failed),
  };
  writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
}
