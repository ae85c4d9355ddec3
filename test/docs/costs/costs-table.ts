/** Writes measured costs as tables in a page. */
import { bondTable } from './bond-table.ts';
import { paidFor } from './cost-recorder.ts';
import type { Costs } from './measure-costs.ts';
import { sol } from './sol.ts';

/** The parts of the page between markers, by the name in the markers. */
const PARTS: Readonly<Record<string, (costs: Costs) => string>> = { bond: bondTable, costs: tablesOf };

/** Returns the page with the tables of these costs between its markers. Throws if a marker is missing. */
export function withCosts(page: string, costs: Costs): string {
  return Object.entries(PARTS).reduce((text, [name, write]) => {
    const [start, end] = [`<!-- ${name}: measured by npm run generate -->\n`, `<!-- end of ${name} -->`];
    const [before, rest] = text.split(start);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined)
      throw new Error(`the page has no ${start.trim()} ... ${end}`);
    return `${before}${start}\n${write(costs)}\n${end}${after}`;
  }, page);
}

function tablesOf({ writes, deployment, passFee }: Costs): string {
  const rows = new Map<string, string[]>();
  for (const { write, payer, fee, changes } of writes) {
    const moves = changes
      .map(({ name, lamports }) => `${name} ${lamports < 0n ? '' : '+'}${lamports}`)
      .sort();
    const rest = `${payer} | ${moves.join(', ') || 'none'} | ${sol(paidFor({ fee, changes }))}`;
    rows.set(rest, [...(rows.get(rest) ?? []), write]);
  }
  const sum = deployment.reduce((total, { lamports }) => total + lamports, 0n);
  return [
    `The pass fee of this measurement is ${passFee} lamports. Each proof takes it from the pass funds.`,
    '',
    '| write | who pays | rent (lamports) | with network fees (SOL) |',
    '| --- | --- | --- | --: |',
    ...[...rows].map(([rest, names]) => `| ${names.join('; ')} | ${rest} |`),
    '',
    `The operator pays ${sum} lamports of rent once for each deployment, and the network fees of the upload. Nearly all of it is for the code of the program.`,
    '',
  ].join('\n');
}
