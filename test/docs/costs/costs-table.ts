/** Writes measured costs as tables in a page. */
import type { Costs } from './measure-costs.ts';

const START = '<!-- costs: measured by npm run generate -->\n';
const END = '<!-- end of costs -->';

/** Returns the page with the tables of these costs between its markers. Throws if it has no markers. */
export function withCosts(page: string, costs: Costs): string {
  const [before, rest] = page.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`the page has no ${START.trim()} ... ${END}`);
  return `${before}${START}\n${tablesOf(costs)}\n${END}${after}`;
}

function tablesOf({ writes, deployment, passFee }: Costs): string {
  const rows = writes.map(({ write, payer, fee, changes }) => {
    const moves = changes
      .map(({ name, lamports }) => `${name} ${lamports < 0n ? '' : '+'}${lamports}`)
      .sort();
    const grown = changes.filter(({ lamports }) => lamports > 0n);
    const paid = grown.filter(({ name }) => name !== 'the holder');
    const total = paid.reduce((sum, { lamports }) => sum + lamports, fee);
    return `| ${write} | ${payer} | ${fee} | ${moves.join(', ') || 'none'} | ${sol(total)} |`;
  });
  const rents = deployment.map(({ name, lamports }) => `| ${name} | ${lamports} | ${sol(lamports)} |`);
  const sum = deployment.reduce((total, { lamports }) => total + lamports, 0n);
  return [
    `The pass fee of this measurement is ${passFee} lamports. Governance sets it for each deployment. Each proof takes it from the pass funds.`,
    '',
    '| write | who pays | network fee (lamports) | other accounts (lamports) | the payer pays (SOL) |',
    '| --- | --- | --: | --- | --: |',
    ...rows,
    '',
    'The operator pays the rent of these accounts once for each deployment, and the network fees of the upload:',
    '',
    '| account | rent (lamports) | rent (SOL) |',
    '| --- | --: | --: |',
    ...rents,
    `| all | ${sum} | ${sol(sum)} |`,
    '',
  ].join('\n');
}

/** Returns lamports as SOL with all nine decimals that are needed. */
function sol(lamports: bigint): string {
  const digits = lamports.toString().padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/0+$/, '');
}
