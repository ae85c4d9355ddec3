/** Judges a history: whether the service kept what it acknowledged, and whether each of its verdicts is true. */

import type { Finding } from './finding.ts';
import type { History } from './history.ts';
import { judgeAnswers } from './judge-answers.ts';
import { judgeCredential } from './judge-credential.ts';
import { judgeEvents } from './judge-events.ts';
import { judgeOperation } from './judge-operation.ts';

/** The result of a campaign's checks. */
export interface Judgement {
  readonly acknowledged: number;
  /** How many of them have a final result. */
  readonly final: number;
  readonly findings: readonly Finding[];
}

/** Judges a history. */
export function judge(history: History): Judgement {
  const judged = [...history.operations.map(judgeOperation), ...history.credentials.flatMap(judgeCredential)];
  const acknowledged = judged.filter((each) => each.isAcknowledged);
  return {
    acknowledged: acknowledged.length,
    final: acknowledged.filter((each) => each.isFinal).length,
    findings: [
      ...judged.flatMap((each) => each.findings),
      ...judgeBalances(history),
      ...judgeEvents(history),
      ...judgeAnswers(history.answers),
    ],
  };
}

/** Compares each balance with the sum of what the service says is finalized. */
function judgeBalances({ operations, balances }: History): Finding[] {
  const expected = new Map([...balances.keys()].map((account) => [account, 0n]));
  const add = (account: string | null, amount: bigint) => {
    if (account !== null) expected.set(account, (expected.get(account) ?? 0n) + amount);
  };
  for (const { record, move } of operations) {
    if (record?.state !== 'FINALIZED' || !move) continue;
    add(move.from, -move.amount);
    add(move.to, move.amount);
  }
  return [...expected]
    .filter(([account, sum]) => balances.get(account) !== sum)
    .map(([account, sum]) => ({
      fault: 'wrong' as const,
      what: `token account ${account} has ${balances.get(account)}, but the finalized operations sum up to ${sum}`,
    }));
}
