/** What a bond costs in its first year: five sums of measured costs. */
import { paidFor } from './cost-recorder.ts';
import type { Costs } from './measure-costs.ts';
import { sol } from './sol.ts';

const HOLDERS = 500n;
/** Each holder proves once a month. The first proof opens the pass. */
const PROOFS = 12n;

/** Returns the table. Throws if a write was not measured. */
export function bondTable({ writes, passFee }: Costs): string {
  const costOf = (name: string) => {
    const cost = writes.find(({ write }) => write === name);
    if (!cost) throw new Error(`nothing measured: ${name}`);
    return paidFor(cost);
  };
  const setUp = [
    'Create a rule set of 1 clause',
    'Add pass funds to a rule set',
    'Create a mint',
    'Bind a mint: sender and recipient need a pass',
  ].reduce((sum, name) => sum + costOf(name), 0n);
  const issue = HOLDERS * costOf('Issue tokens');
  const passes = HOLDERS * PROOFS * passFee;
  const verifications = HOLDERS * costOf('Put the first credential of a wallet on chain');
  const renewals = (PROOFS - 1n) * costOf('Prove, and renew a pass');
  const holder = costOf('Create a token account') + costOf('Prove, and open a pass') + renewals;
  const rows = [
    ['Set up: a rule set, a mint and its binding', 'you', setUp],
    [`Issue to ${HOLDERS} holders`, 'you', issue],
    [`Pass fees: ${PROOFS} proofs of each holder`, 'you', passes],
    [`${HOLDERS} verifications on chain`, 'the operator', verifications],
    ['**Together**', '', setUp + issue + passes + verifications],
  ] as const;
  return [
    '| a bond with 500 holders, first year | who pays | SOL |',
    '| --- | --- | --: |',
    ...rows.map(([what, payer, lamports]) => `| ${what} | ${payer} | ${short(lamports)} |`),
    '',
    `Each holder also pays ${short(holder)} SOL, mostly rent that [they can get back](#what-each-write-costs).`,
    '',
  ].join('\n');
}

/** Rounds up to a ten-thousandth of a SOL, so that no sum is larger than the page says. */
const short = (lamports: bigint) => sol(((lamports + 99_999n) / 100_000n) * 100_000n);
