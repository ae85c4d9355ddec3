/** Checks that the sums of the bond on the page are those of the measured costs on the same page. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bondTable } from './bond-table.ts';
import type { Costs } from './measure-costs.ts';

const page = readFileSync(new URL('../../../docs/for-issuers.md', import.meta.url), 'utf8');
const part = (name: string) =>
  page.match(
    new RegExp(`<!-- ${name}: measured by npm run generate -->\n\n(.*?)\n<!-- end of ${name} -->`, 's'),
  )![1]!;
const lamportsOf = (sol: string) => BigInt(Math.round(Number(sol) * 1e9));

/** Returns the costs that the page states, in lamports. */
function statedCosts(): Costs {
  const text = part('costs');
  const rows = [...text.matchAll(/^\| (.+?) \| (issuer|holder|service|anyone) \| .+ \| ([\d.]+) \|$/gm)];
  const writes = rows.flatMap(([, names, payer, sol]) =>
    names!.split('; ').map((write) => ({
      write,
      payer: payer as 'issuer',
      fee: lamportsOf(sol!),
      changes: [],
    })),
  );
  const [, passFee, rent] = text.match(/is (\d+) lamports\..*operator pays (\d+) lamports of rent/s)!;
  return { writes, passFee: BigInt(passFee!), deployment: [{ name: 'all', lamports: BigInt(rent!) }] };
}

test('the page states the sums of its own costs', () => {
  expect(part('bond')).toBe(bondTable(statedCosts()));
});

test('the three sums are the sums of their rows, within what each row is rounded by', () => {
  const sol = [...part('bond').matchAll(/^\| .+ \| ([\d.]+) \| [\d.]+ \|$/gm)].map(([, value]) =>
    Number(value),
  );
  const [setUp, issue, fees, customer, verifications, deploy, operator, holders] = sol;
  expect(customer).toBeCloseTo(setUp! + issue! + fees!, 3);
  expect(operator).toBeCloseTo(customer! + verifications! + deploy!, 3);
  expect(holders).toBeGreaterThan(0);
});

test('a sum in EUR is the sum in SOL at the price that the page names', () => {
  const price = Number(part('bond').match(/EUR are at (\d+) EUR per SOL/)![1]);
  const rows = [...part('bond').matchAll(/^\| .+ \| ([\d.]+) \| ([\d.]+) \|$/gm)];
  expect(rows).toHaveLength(8);
  for (const [, sol, eur] of rows) expect(Math.abs(Number(eur) - Number(sol) * price)).toBeLessThan(0.03);
});

test('a write that was not measured is an error', () => {
  const costs = statedCosts();
  const writes = costs.writes.filter(({ write }) => write !== 'Issue tokens');
  expect(() => bondTable({ ...costs, writes })).toThrow('nothing measured: Issue tokens');
});
