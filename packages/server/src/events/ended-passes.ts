/**
 * Writes the events of passes that governance ended. It ends all at once, and their accounts do not change. There may be very
 * many, so they are written in batches: the commit of an event makes all others wait.
 */
import { passesValidFrom } from '../chain-index/find.ts';
import type { Service } from '../service.ts';
import { closedPass, hasEnded } from './pass-events.ts';
import { writeEvents } from './write.ts';

const BATCH = 1_000;
/** Milliseconds after which the other passes are left to the next step, so that the index continues. */
const STEP_MS = 5_000;

type Parts = Pick<Service, 'db'> & { readonly settings: Pick<Service['settings'], 'program'> };

/** Continues where the last step of any process stopped. Call it while `ending_after` of the position is not null. */
export async function recordEndedPasses(service: Parts, signal: AbortSignal): Promise<void> {
  for (const until = performance.now() + STEP_MS; performance.now() < until && !signal.aborted; ) {
    if (!(await recordBatch(service))) return;
  }
}

/** Returns whether there may be more. */
function recordBatch({ db, settings: { program } }: Parts): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const position = await trx.selectFrom('index_position').selectAll().forUpdate().executeTakeFirst();
    if (!position || position.ending_after === null || position.ended_until === null) return false;
    const from = position.ended_until;
    const to = await passesValidFrom({ db: trx, settings: { program } });
    const rows = await trx
      .selectFrom('indexed_account')
      .selectAll()
      .where('kind', '=', 'pass')
      .where('address', '>', position.ending_after)
      .orderBy('address')
      .limit(BATCH)
      .execute();
    const ended = rows.filter((row) => !hasEnded(row, from) && hasEnded(row, to));
    const facts = { program, now: position.time };
    await writeEvents(
      trx,
      ended.map((row) => closedPass(facts, row, row)),
    );
    const isDone = rows.length < BATCH;
    await trx
      .updateTable('index_position')
      .set(isDone ? { ended_until: to, ending_after: null } : { ending_after: rows.at(-1)!.address })
      .execute();
    return !isDone;
  });
}
