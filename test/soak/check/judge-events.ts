/** Judges the events: each final operation has one, those of a wallet came in order, and none came again without a cause. */
import type { Finding } from './finding.ts';
import type { History } from './history.ts';

const TYPES: Readonly<Record<string, string>> = {
  FINALIZED: 'operation.finalized',
  FAILED: 'operation.failed',
};

/** Judges the events. The operations are in the order in which they were signed, and `events` in that of arrival. */
export function judgeEvents({ operations, events, repeatedEvents }: History): Finding[] {
  const findings: Finding[] = repeatedEvents.map((id) => ({
    fault: 'events doubled',
    what: `event ${id}: came again, although nothing had failed`,
  }));
  const place = new Map(operations.map(({ id }, index) => [id, index]));
  for (const { id, record } of operations) {
    const own = events.filter(({ operationId }) => operationId === id);
    const expected = TYPES[record?.state ?? ''];
    const what = (text: string) => `events of operation ${id}: ${text}`;
    if (expected && own.length === 0) findings.push({ fault: 'events lost', what: what('there is none') });
    if (own.length > 1)
      findings.push({ fault: 'events doubled', what: what(`${own.length} with different ids`) });
    const other = own.find(({ type }) => type !== expected);
    if (other) findings.push({ fault: 'wrong', what: what(`${other.type}, but it is ${record?.state}`) });
  }
  const last = new Map<string, number>();
  for (const { wallet, operationId } of events) {
    const at = place.get(operationId);
    if (at === undefined) continue;
    if (at < (last.get(wallet) ?? -1)) {
      findings.push({
        fault: 'events out of order',
        what: `events of operation ${operationId}: came after that of a later operation`,
      });
    }
    last.set(wallet, at);
  }
  return findings;
}
