/**
 * The events of a step of the index: what changed between the rows of the index and the new reading. They are written in the
 * transaction of the step, so a crash loses none and doubles none.
 */
import type { Address } from '@solana/kit';
import type { Kysely } from 'kysely';
import { decodeRow, passesValidFrom } from '../chain-index/find.ts';
import type { IndexedAccountTable, Schema } from '../database/schema.ts';
import { bindingEvents, credentialEvents, placeEvents } from './account-events.ts';
import { EVENTFUL, pagesOfRows } from './indexed-rows.ts';
import { expiringPass, hasEnded, passEvents } from './pass-events.ts';
import type { IndexStep, ValidFrom } from './step.ts';
import { type NewEvent, writeEvents } from './write.ts';

/** What `recordChanges` found out, for `recordExpiring`. */
export interface FoundChanges {
  readonly validFrom: ValidFrom;
  /** Passes that are new or changed. */
  readonly changed: readonly Address[];
}

/**
 * Writes the events of credentials, bindings, places and passes that changed. Call it before the reading is written, because it compares the
 * two. A first reading has nothing to compare with, so it has none of these events.
 */
export async function recordChanges(trx: Kysely<Schema>, step: IndexStep): Promise<FoundChanges> {
  const { since, reading } = step;
  const validFrom = await readValidFrom(trx, step);
  const facts = { ...step, validFrom };
  const fresh = new Map(reading.entries.filter(hasEvents).map((entry) => [entry.address, entry]));
  const touched = [...fresh.keys(), ...reading.gone];
  const changed: Address[] = [];
  const compare = (before: IndexedAccountTable): NewEvent[] => {
    const after = fresh.get(before.address);
    fresh.delete(before.address);
    if (after && Buffer.compare(before.data, after.data) !== 0) changed.push(after.address);
    if (before.kind === 'credential') return credentialEvents(facts, before, after);
    if (before.kind === 'mintBinding') return bindingEvents(facts, before, after);
    if (before.kind === 'place') return placeEvents(facts, before, after);
    return passEvents(facts, before, after);
  };
  if (since !== null) {
    for await (const rows of pagesOfRows(trx, { in: touched })) await writeEvents(trx, rows.flatMap(compare));
    await writeEvents(
      trx,
      [...fresh.values()].flatMap((after) => [
        ...credentialEvents(facts, undefined, after),
        ...passEvents(facts, undefined, after),
      ]),
    );
  }
  return { validFrom, changed: [...changed, ...fresh.keys()] };
}

const hasEvents = ({ kind }: IndexedAccountTable) => EVENTFUL.has(kind);

/**
 * Writes the events of passes that expire soon. Call it after the reading was written. It finds the passes whose notice became
 * due in the step, and those that changed. After a first reading it finds all that are due, because a notice must not get
 * lost when an operator empties the index. Each expiry of a pass has one event.
 */
export async function recordExpiring(
  trx: Kysely<Schema>,
  { program, since, now, isComplete }: IndexStep & { readonly isComplete: boolean },
  { changed, validFrom }: FoundChanges,
): Promise<void> {
  const due = { after: since, upTo: now };
  const scopes = [
    // A full reading knows the passes that did not change when all of it was written.
    ...(isComplete ? [{ due }] : []),
    ...(since === null ? [] : [{ due: { ...due, after: null }, in: changed }]),
  ];
  for (const scope of scopes) {
    for await (const rows of pagesOfRows(trx, scope)) {
      const live = rows.filter((row) => !hasEnded(row, validFrom.after));
      await writeEvents(
        trx,
        live.map((row) => expiringPass(program, row)),
      );
    }
  }
}

async function readValidFrom(
  trx: Kysely<Schema>,
  { program, reading, ended_until, ending_after }: IndexStep,
): Promise<ValidFrom> {
  // The two differ only while events of passes are missing.
  const isComplete = ended_until !== null && ending_after === null;
  const before = isComplete ? ended_until : await passesValidFrom({ db: trx, settings: { program } });
  const entry = reading.entries.find(({ kind }) => kind === 'config');
  const after = entry ? decodeRow(program, 'config', entry).data.passesValidFrom : before;
  return { reported: ended_until ?? before, before, after };
}
