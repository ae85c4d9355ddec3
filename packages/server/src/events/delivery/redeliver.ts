/** Sends events again when the operator asks for it. */
import { sql } from 'kysely';
import type { Service } from '../../service.ts';
import { NEVER } from './queue.ts';

/** Events that one statement changes, because it keeps their locks, and one for each wallet, until it ends. */
const BATCH = 500;

/**
 * Makes every event that waits for a retry due now. With `since`, in Unix seconds, it also sends the events again that the receiver
 * accepted and that were recorded since then. Returns the number of events.
 */
export async function redeliver(
  { db, clock }: Pick<Service, 'db' | 'clock'>,
  since: bigint | undefined,
): Promise<number> {
  const waiting = await sql`
    update event set due_at = 0 where delivered_at is null and due_at > 0 and due_at < ${NEVER}`.execute(db);
  let count = Number(waiting.numAffectedRows);
  if (since === undefined) return count;
  const now = BigInt(clock.now());
  let [changed, after] = [BATCH, 0n];
  for (; changed === BATCH; count += changed) {
    // A trigger makes the first event of each wallet due. Events that are accepted after this call began are not sent again. The lock
    // leaves out what another request sends again meanwhile: no trigger would make that due a second time.
    const { rows } = await sql<{ position: bigint }>`
      update event set delivered_at = null, due_at = ${NEVER}, attempts = 0 where id in (
        select id from event
        where position > ${after} and created_at >= ${since * 1_000n} and delivered_at <= ${now}
        order by position limit ${BATCH}
        for update
      )
      returning position`.execute(db);
    changed = rows.length;
    for (const { position } of rows) if (position > after) after = position;
  }
  return count;
}
