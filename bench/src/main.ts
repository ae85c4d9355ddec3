/** `npm run bench`: measures the rows, prints the table and writes bench/results.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { installPeers } from './peers.ts';
import { endStack } from './person.ts';
import { measure, type Result, type Results, worseThan } from './results.ts';
import { ROWS } from './rows/index.ts';
import { tableHeading, tableLine } from './table.ts';

const HELP = `npm run bench -- [options]

  --only ID   measures this row, and leaves the others in bench/results.json as they are; repeat it for more rows
  --short     measures the rows whose ratio is steady, and compares them with bench/results.json
  --help      prints this text

The rows: ${ROWS.map(({ id }) => id).join(', ')}`;

/** Most rounds of a row in the short form. */
const SHORT_ROUNDS = 5;
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
const started = performance.now();
installPeers();
console.log(tableHeading());
try {
  for (const row of rows) {
    try {
      const result = await measure(row, values.short ? Math.min(row.rounds, SHORT_ROUNDS) : row.rounds);
      measured.push(result);
      console.log(tableLine(result));
      // A run that is interrupted keeps the rows that it has.
      if (!values.short) write();
    } catch (error) {
      console.error(`${row.id} was not measured: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
} finally {
  await endStack();
}
console.log(`${measured.length} rows in ${Math.round((performance.now() - started) / 1000)} s.`);
if (values.short) {
  const worse = worseThan(committed.rows, measured);
  if (worse.length > 0) {
    console.error(worse.join('\n'));
    process.exitCode = 1;
  }
}

/** Writes the measured rows in the order of the table. A row that was not measured stays as it was. */
function write(): void {
  const stored: Results = JSON.parse(readFileSync(FILE, 'utf8'));
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    node: process.version,
  };
  const all = ROWS.flatMap(
    ({ id }) => [...measured, ...stored.rows].find((result) => result.id === id) ?? [],
  );
  writeFileSync(FILE, `${JSON.stringify({ machine, rows: all }, null, 2)}\n`);
}
