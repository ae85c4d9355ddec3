/**
 * Compute units against the committed table. A wallet's transaction has the default budget; prove has to stay under
 * 100,000 with its memo, and the hook alone under 1,000. `npm run generate -- compute` measures again and rewrites the table.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ComputeUnits, measureComputeUnits } from './support/compute-units.ts';

const TABLE = new URL('compute-units.json', import.meta.url);
const DEFAULT_BUDGET = 200_000;
/** Units may grow by so much before the table has to be looked at again. */
const SLACK = 1.03;
const REWRITE = 'If that is meant, npm run generate -- compute rewrites the table.';

let measured: ComputeUnits;
let committed: ComputeUnits;

beforeAll(async () => {
  measured = await measureComputeUnits();
  if (process.env.PROGRAM_COMPUTE === 'write') {
    writeFileSync(TABLE, `${JSON.stringify(measured, null, 2)}\n`);
    console.table(measured.transactions);
    console.table(measured.added);
  }
  committed = JSON.parse(readFileSync(TABLE, 'utf8'));
}, 180_000);

describe('compute units', () => {
  it('of each transaction exceed the table by at most 3 %', () => {
    expect(Object.keys(measured.transactions)).toEqual(Object.keys(committed.transactions));
    for (const [name, units] of Object.entries(measured.transactions)) {
      expect(units, `${name}. ${REWRITE}`).toBeLessThanOrEqual(committed.transactions[name]! * SLACK);
    }
  });

  it('that the hook adds to a transfer exceed the table by at most 3 % over 200 pairs of addresses', () => {
    expect(Object.keys(measured.added)).toEqual(Object.keys(committed.added));
    for (const kind of Object.keys(measured.added) as (keyof ComputeUnits['added'])[]) {
      for (const share of ['min', 'median', 'p95', 'max'] as const) {
        const [units, before] = [measured.added[kind][share], committed.added[kind][share]];
        expect(units, `${kind}, ${share}. ${REWRITE}`).toBeLessThanOrEqual(before * SLACK);
      }
    }
  });

  it('are the same in the README and in the table', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rows = (pattern: RegExp) => [...readme.matchAll(pattern)].map((row) => row.slice(1));
    const listed = rows(/^\| ([^|]+) \| ([\d,]+) \|$/gm);
    const spreads = rows(/^\| [^|]+ \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$/gm);
    const written = (units: number) => units.toLocaleString('en');
    const { transactions, added } = committed;

    expect(listed.map(([name]) => name)).toEqual(expect.arrayContaining(['prove', 'hook, with the source']));
    expect(listed).toEqual(listed.map(([name]) => [name, written(transactions[name!] ?? Number.NaN)]));
    expect(spreads).toEqual(
      Object.values(added).map(({ min, median, p95, max }) => [min, median, p95, max].map(written)),
    );
  });

  it('fit the budget of a wallet, prove 100,000, and the hook itself 1,000', () => {
    const { transactions, added } = measured;
    for (const [name, units] of Object.entries(transactions))
      expect(units, name).toBeLessThan(DEFAULT_BUDGET);
    // One wallet in 4,000 needs twelve more bumps for its pass.
    expect(transactions.prove! + 12 * transactions['each bump that misses']!).toBeLessThan(100_000);
    // A place is one more address that may need bumps. Its memo is not counted.
    const inPlace = [
      'prove, in a place',
      'prove, in its place again',
      'prove, in the place of another wallet',
    ];
    for (const name of inPlace) expect(transactions[name], name).toBeLessThan(97_000);
    const hooks = Object.keys(transactions).filter((name) => name.startsWith('hook'));
    expect(hooks).toHaveLength(4);
    for (const name of hooks) expect(transactions[name], name).toBeLessThan(1_000);
    for (const { max } of Object.values(added)) expect(max).toBeLessThan(50_000);
  });
});
