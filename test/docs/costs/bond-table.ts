/** What a bond costs in its first year: sums of measured costs, one for each way to run the service, and one for holders. */
import { paidFor } from './cost-recorder.ts';
import type { Costs } from './measure-costs.ts';
import { sol } from './sol.ts';

const HOLDERS = 500n;
/** Each holder proves once a month. The first proof opens the pass. */
const PROOFS = 12n;
/** An example, so that readers see an order of magnitude. The text below has its date. */
const EUR_PER_SOL = 150n;
const PRICE_WRITTEN = '28 November 2026';

const LAMPORTS_PER_SOL = 1_000_000_000n;

/** Returns the table and the formula. Throws if a write was not measured. */
export function bondTable({ writes, deployment, passFee }: Costs): string {
  const costOf = (name: string) => {
    const cost = writes.find(({ write }) => write === name);
    if (!cost) throw new Error(`nothing measured: ${name}`);
    return paidFor(cost);
  };
  const setUp = [
    'Create a rule set of 1 clause',
    'Add pass funds to a rule set',
    'Create a mint: `security`, with a name',
    'Bind a mint: only the recipient needs a pass',
  ].reduce((sum, name) => sum + costOf(name), 0n);
  const issue = costOf('Issue tokens');
  const verification = costOf('Put the first credential of a wallet on chain');
  const deploy = deployment.reduce((sum, { lamports }) => sum + lamports, 0n);
  const renewals = (PROOFS - 1n) * costOf('Prove, and renew a pass');
  const holder = costOf('Create a token account') + costOf('Prove, and open a pass') + renewals;

  const customer = setUp + HOLDERS * (issue + PROOFS * passFee);
  const rows = [
    ['Set up: a rule set, a `security` mint, its binding', setUp],
    [`Issue to ${HOLDERS} holders`, HOLDERS * issue],
    [`Pass fees: ${PROOFS} proofs of each holder`, HOLDERS * PROOFS * passFee],
    ['**1. You pay, if somebody else runs the service**', customer],
    [`${HOLDERS} verifications on chain, which the operator pays`, HOLDERS * verification],
    ['Deploy the program, once', deploy],
    ['**2. You pay, if you run the service, too**', customer + HOLDERS * verification + deploy],
    [`**3. Your holders pay together**, ${sol(holder)} SOL each`, HOLDERS * holder],
  ] as const;
  return [
    '| a bond with 500 holders, first year | SOL | EUR |',
    '| --- | --: | --: |',
    ...rows.map(([what, lamports]) => `| ${what} | ${short(lamports)} | ${eur(lamports)} |`),
    '',
    `EUR are at ${EUR_PER_SOL} EUR per SOL, an example of ${PRICE_WRITTEN}. **Multiply SOL by today's price.** For N holders who`,
    `each prove P times, you pay ${short(setUp)} + N × (${sol(issue)} + P × ${sol(passFee)}) SOL, and the operator`,
    `pays ${short(deploy)} + N × ${sol(verification)}.`,
    '',
  ].join('\n');
}

/** Rounds up to a ten-thousandth of a SOL, so that no sum is larger than the page says. */
const short = (lamports: bigint) => sol(roundedUp(lamports, 100_000n));

/** Returns EUR with two decimals, rounded up. */
function eur(lamports: bigint): string {
  const cents = roundedUp(lamports * EUR_PER_SOL * 100n, LAMPORTS_PER_SOL) / LAMPORTS_PER_SOL;
  return `${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`;
}

const roundedUp = (amount: bigint, unit: bigint) => ((amount + unit - 1n) / unit) * unit;
