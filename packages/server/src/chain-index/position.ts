/** The position of the index. It only moves forward, in one transaction with the data that was read. */
import type { Address, Signature } from '@solana/kit';
import type { Selectable } from 'kysely';
import { type Kysely, sql } from 'kysely';
import type {
  IndexedAccountTable,
  IndexedSignatureTable,
  IndexPositionTable,
  Schema,
} from '../database/schema.ts';
import { type FoundChanges, recordChanges, recordExpiring } from '../events/index-events.ts';
import { batchesOf } from '../lib/batches.ts';
import type { Settings } from '../settings.ts';
import { rememberHolders } from './gated-holders.ts';
import type { Reading } from './reading.ts';

/** The row of `index_position`. */
export type Position = Selectable<IndexPositionTable>;

/** The columns that a step moves. The others are the progress of `recordEndedPasses`. */
export type Place = Omit<Position, 'id' | keyof Progress>;
type Progress = Pick<Position, 'ended_until' | 'ending_after'>;

/** It comes before every address. */
const FIRST = '' as Address;

const ROWS_PER_STATEMENT = 1_000;

/** The slot of the position during the first reading. */
const NOTHING_READ = -1n;

/** Returns the position of the index, or undefined until the first reading is complete. */
export async function readPosition(db: Kysely<Schema>): Promise<Position | undefined> {
  const position = await readStart(db);
  return position && isRead(position) ? position : undefined;
}

/** Returns the position from which a step starts, also during the first reading. Undefined before it. */
export function readStart(db: Kysely<Schema>): Promise<Position | undefined> {
  return db.selectFrom('index_position').selectAll().executeTakeFirst();
}

/** Returns whether the first reading is complete. */
export function isRead({ slot }: Pick<Position, 'slot'>): boolean {
  return slot !== NOTHING_READ;
}

/** The position before the first reading. */
const START: Place = {
  slot: NOTHING_READ,
  time: 0n,
  read_slot: 0n,
  signature: null,
  settled_slot: NOTHING_READ,
  reconciled_at: 0n,
  next_slice: 0,
  slices_left: 0,
  target_slot: null,
  target_time: null,
  target_signature: null,
};

/** Returns the highest slot, or the latest time. */
export function latest(slot: bigint, ...others: readonly (bigint | null | undefined)[]): bigint {
  return others.reduce<bigint>((most, other) => (other != null && other > most ? other : most), slot);
}

/** Returns the signatures after the settled slot whose changes are in the index. */
export async function readRecent(db: Kysely<Schema>): Promise<Signature[]> {
  const rows = await db.selectFrom('indexed_signature').select('signature').execute();
  return rows.map(({ signature }) => signature);
}

/** Returns the columns of a position, with which the next one is built. */
export function columnsOf(from: Position | undefined): Place {
  if (!from) return START;
  const { id: _id, ended_until: _until, ending_after: _after, ...columns } = from;
  return columns;
}

/** A step of the index. */
export interface Advance {
  readonly settings: Pick<Settings, 'program' | 'keeper'>;
  readonly from: Position | undefined;
  readonly to: Place;
  readonly reading: Reading;
  /** Signatures after the settled slot whose changes are in the index after this step. */
  readonly recent: readonly IndexedSignatureTable[];
  /** The chain time of the reading in Unix seconds, if it is not that of `to`. */
  readonly now?: bigint;
}

/**
 * Writes a reading with its events, and moves the position. Changes nothing and returns false if the position would move back, or has
 * changed since the reading began because another process was faster.
 */
export function advance(
  db: Kysely<Schema>,
  { settings, from, to, reading, recent, now }: Advance,
): Promise<boolean> {
  if (from && (to.slot < from.slot || to.read_slot < from.read_slot)) return Promise.resolve(false);
  return db.transaction().execute(async (trx) => {
    const progress = await movePosition(trx, from, to);
    if (!progress) return false;
    const since = from && isRead(from) ? from.time : null;
    const step = { program: settings.program, since, now: now ?? to.time, reading, ...progress };
    const changes = await recordChanges(trx, step);
    await keepProgress(trx, progress, since, changes);
    await writeEntries(trx, reading);
    await rememberHolders(trx, settings, reading);
    await removeGone(trx, reading);
    await recordExpiring(trx, { ...step, isComplete: to.slices_left === 0 }, changes);
    await writeRecent(trx, to.settled_slot, recent);
    return true;
  });
}

/**
 * Moves the position, and returns its progress. This comes first in the transaction: it locks the row, so that a second
 * process finds it moved, and gets undefined.
 */
function movePosition(
  trx: Kysely<Schema>,
  from: Position | undefined,
  to: Place,
): Promise<Progress | undefined> {
  if (!from) {
    return trx
      .insertInto('index_position')
      .values({ id: 1, ...to })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['ended_until', 'ending_after'])
      .executeTakeFirst();
  }
  return trx
    .updateTable('index_position')
    .set(to)
    .where('slot', '=', from.slot)
    .where('read_slot', '=', from.read_slot)
    .where('reconciled_at', '=', from.reconciled_at)
    .where('next_slice', '=', from.next_slice)
    .where('slices_left', '=', from.slices_left)
    .where(sql<boolean>`signature is not distinct from ${from.signature}`)
    .returning(['ended_until', 'ending_after'])
    .executeTakeFirst();
}

/** Starts the events of passes if governance ended them in the step. A first reading has nothing to compare with. */
async function keepProgress(
  trx: Kysely<Schema>,
  progress: Progress,
  since: bigint | null,
  { validFrom: { reported, before, after } }: FoundChanges,
): Promise<void> {
  const isComplete = since === null || reported >= after;
  const hasMoved = before !== after;
  if (isComplete) {
    if (progress.ended_until === after && progress.ending_after === null) return;
    await trx.updateTable('index_position').set({ ended_until: after, ending_after: null }).execute();
  } else if (hasMoved || progress.ending_after === null) {
    // Search from the first address for the events of all passes that ended since then.
    await trx.updateTable('index_position').set({ ended_until: reported, ending_after: FIRST }).execute();
  }
}

async function writeEntries(trx: Kysely<Schema>, { entries }: Reading): Promise<void> {
  for (const some of batchesOf(entries, ROWS_PER_STATEMENT)) {
    const updates = Object.keys(some[0]!).map(
      (name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`,
    );
    // One parameter with all rows takes two thirds of the CPU time of one for each value.
    await sql`
      insert into indexed_account
      select * from json_populate_recordset(null::indexed_account, ${jsonOf(some)}::json)
      on conflict (address) do update set ${sql.join(updates)}`.execute(trx);
  }
}

/** Returns rows as JSON, in the forms that the database reads. */
function jsonOf(rows: readonly IndexedAccountTable[]): string {
  const hex = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`;
  const readable = rows.map(({ data, commitment, ...row }) => {
    return { ...row, data: hex(data), commitment: commitment && hex(commitment) };
  });
  return JSON.stringify(readable, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}

async function removeGone(trx: Kysely<Schema>, { gone }: Reading): Promise<void> {
  if (gone.length === 0) return;
  await trx
    .deleteFrom('indexed_account')
    // One parameter, because a statement can have only 65,535.
    .where(sql<boolean>`address = any(${[...gone]}::text[])`)
    .execute();
}

async function writeRecent(
  trx: Kysely<Schema>,
  settledSlot: bigint,
  recent: readonly IndexedSignatureTable[],
): Promise<void> {
  await trx.deleteFrom('indexed_signature').where('slot', '<=', settledSlot).execute();
  if (recent.length === 0) return;
  await trx
    .insertInto('indexed_signature')
    .values(recent.map(({ signature, slot }) => ({ signature, slot })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
