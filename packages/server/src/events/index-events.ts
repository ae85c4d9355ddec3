/**
 * The events of a step of the index: what changed between the rows of the index and the new reading. They are written in the
 * transaction of the step, so a crash loses none and doubles none.
 */
import type { Address } from '@solana/kit';
import type { Kysely } from 'kysely';
import { decodeRow, findAccount } from '../chain-index/find.ts';
import type { IndexedAccountTable } from '../chain-index/tables.ts';
import type { Schema } from '../database/schema.ts';
import { credentialEvents } from './credential-events.ts';
import { pagesOfRows } from './indexed-rows.ts';
import { closedPass, expiringPass, hasEnded, isOver } from './pass-events.ts';
import type { IndexStep, StepFacts } from './step.ts';
import { type NewEvent, writeEvents } from './write.ts';

/** What `recordChanges` found out, for `recordExpiring`. */
export interface FoundChanges {
  /** Governance ended the passes that were issued earlier. In Unix seconds. */
  readonly validFrom: bigint;
  /** Passes that are new or changed. */
  readonly changed: readonly Address[];
}

/**
 * Writes the events of credentials and of passes that ended. Call it before the reading is written, because it compares the
 * two. A first reading has nothing to compare with, so it has none of these events.
 */
export async function recordChanges(trx: Kysely<Schema>, step: IndexStep): Promise<FoundChanges> {
  const { since, reading } = step;
  const validFrom = await readValidFrom(trx, step);
  const facts = { ...step, validFrom };
  const fresh = new Map(reading.entries.filter(hasEvents).map((entry) => [entry.address, entry]));
  const isFull = reading.gone === 'all others';
  const touched = isFull ? null : [...fresh.keys(), ...reading.gone];
  const changed: Address[] = [];
  const compare = (before: IndexedAccountTable): NewEvent[] => {
    const after = fresh.get(before.address);
    fresh.delete(before.address);
    if (after && Buffer.compare(before.data, after.data) !== 0) changed.push(after.address);
    if (before.kind === 'credential') return credentialEvents(facts, before, after);
    return isOver(facts, before, after) ? [closedPass(facts, before, after)] : [];
  };
  if (since !== null) {
    for await (const rows of pagesOfRows(trx, { in: touched })) await writeEvents(trx, rows.flatMap(compare));
    await writeEvents(
      trx,
      [...fresh.values()].flatMap((after) => credentialEvents(facts, undefined, after)),
    );
    if (touched) await recordEndedByGovernance(trx, facts, new Set(touched));
  }
  return { validFrom: validFrom.after, changed: [...changed, ...fresh.keys()] };
}

const hasEvents = ({ kind }: IndexedAccountTable) => kind === 'credential' || kind === 'pass';

/** Writes the events of passes that governance ended. Their accounts did not change. */
async function recordEndedByGovernance(
  trx: Kysely<Schema>,
  facts: StepFacts,
  touched: ReadonlySet<Address>,
): Promise<void> {
  const { before: from, after: to } = facts.validFrom;
  if (to <= from) return;
  for await (const rows of pagesOfRows(trx, { issued: { from, to } })) {
    const ended = rows.filter((row) => !touched.has(row.address) && isOver(facts, row, row));
    await writeEvents(
      trx,
      ended.map((row) => closedPass(facts, row, row)),
    );
  }
}

/**
 * Writes the events of passes that expire soon. Call it after the reading was written. It finds the passes whose notice became
 * due in the step, and those that changed. After a first reading it finds all that are due: the rows of the index may
 * have been deleted, and a notice must not get lost with them. Each expiry of a pass has one event.
 */
export async function recordExpiring(
  trx: Kysely<Schema>,
  { program, since, now }: IndexStep,
  { changed, validFrom }: FoundChanges,
): Promise<void> {
  const due = { after: since, upTo: now };
  for (const scope of [{ due }, ...(since === null ? [] : [{ due: { ...due, after: null }, in: changed }])]) {
    for await (const rows of pagesOfRows(trx, scope)) {
      const live = rows.filter((row) => !hasEnded(row, validFrom));
      await writeEvents(
        trx,
        live.map((row) => expiringPass(program, row)),
      );
    }
  }
}

/** Returns since when passes are valid, before the step and after it. */
async function readValidFrom(trx: Kysely<Schema>, { program, reading }: IndexStep) {
  const reader = { db: trx, settings: { program } };
  const before = (await findAccount(reader, 'config'))?.data.passesValidFrom ?? 0n;
  const entry = reading.entries.find(({ kind }) => kind === 'config');
  const after = entry ? decodeRow(reader, 'config', entry).data.passesValidFrom : before;
  return { before, after };
}
