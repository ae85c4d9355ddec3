/**
 * Finds the wallets whose token accounts of gated mints must be checked: those without a live pass for the gate, whose accounts
 * were not checked since the pass was last live. A check is of one state of gate and pass, so that a change of either, or an
 * expiry after the check, causes another one.
 */
import { GATE_HONOURS_GRANTED_OFFSET, PASS_OFFSETS } from '@service/protocol';
import type { Address } from '@solana/kit';
import { type Kysely, sql, type Updateable } from 'kysely';
import { type IndexReader, isSuspendedAt, passesValidFrom } from '../chain-index/find.ts';
import type { GatedHolderTable, Schema } from '../database/schema.ts';
import type { Service } from '../service.ts';

/** Attempts that did not end a check after which a person should look. */
const FAILED_ATTEMPTS = 3;
/** Milliseconds after which another attempt is due. */
const AGAIN_MS = 90_000;
/** Milliseconds after an attempt that sent transactions: a little longer than finality takes. */
const AFTER_SENT_MS = 20_000;

/** A wallet to check, which no other process has until `due_at`. */
export interface DueHolder {
  readonly mint: Address;
  readonly wallet: Address;
  /** The rule set of the gate. */
  readonly rule: Address;
  readonly due_at: bigint;
  /** How many attempts in a row did not end a check, with this one. */
  readonly attempts: number;
  /** Slot of the gate in the index. */
  readonly gate_slot: bigint;
  /** Slot of the pass in the index; null if there is none. */
  readonly pass_slot: bigint | null;
}

/** The parts of the service that these queries need. */
type Reader = IndexReader & { readonly settings: Pick<Service['settings'], 'keeper'> };

/** Returns whether the index has a gate. */
export async function hasGates(db: Kysely<Schema>): Promise<boolean> {
  const gate = db.selectFrom('indexed_account').select('address').where('kind', '=', 'freezeList').limit(1);
  return (await gate.executeTakeFirst()) !== undefined;
}

/**
 * Returns the first mints in the queue with wallets that must be checked at a chain time in Unix seconds, and that are due. A
 * mint that is new goes to the end.
 */
export async function findDueMints(
  reader: Reader,
  { chainTime, now, limit }: { readonly chainTime: bigint; readonly now: number; readonly limit: number },
): Promise<Address[]> {
  const due = await sql<{ mint: Address }>`
    select distinct holder.mint ${await unchecked(reader, chainTime)} and holder.due_at <= ${BigInt(now)}
    order by holder.mint`.execute(reader.db);
  const mints = due.rows.map(({ mint }) => mint);
  await enqueue(reader.db, mints);
  const { rows } = await sql<{ mint: Address }>`
    select mint from gated_mint where mint = any(${mints}::text[]) order by place limit ${limit}`.execute(
    reader.db,
  );
  return rows.map(({ mint }) => mint);
}

/** Puts mints that are new at the end of the queue. */
export async function enqueue(db: Kysely<Schema>, mints: readonly Address[]): Promise<void> {
  await sql`
    insert into gated_mint (mint) select mint from unnest(${[...mints]}::text[]) as due (mint)
    where not exists (select from gated_mint known where known.mint = due.mint)
    on conflict do nothing`.execute(db);
}

/** Puts mints that had their turn at the end of the queue. The order of the locks keeps two processes from a deadlock. */
export async function requeue(db: Kysely<Schema>, mints: readonly Address[]): Promise<void> {
  if (mints.length === 0) return;
  await sql`
    update gated_mint set place = default where mint in (
      select mint from gated_mint where mint = any(${[...mints]}::text[]) order by mint for update
    )`.execute(db);
}

/** Counts the wallets that must be checked at a chain time in Unix seconds. */
export async function countHoldersToCheck(reader: Reader, chainTime: bigint): Promise<number> {
  const query = await unchecked(reader, chainTime);
  const { rows } = await sql<{ count: bigint }>`select count(*) ${query}`.execute(reader.db);
  return Number(rows[0]?.count ?? 0);
}

/**
 * Takes some of the wallets that are due. Each mint has its turn, so that a mint with many does not delay the others, and
 * first attempts come before retries. A mint that was served goes to the end of the queue, so that no address gets ahead. No
 * other process takes the same wallets, and one of a process that ended is due again. The mints must be in the queue.
 */
export async function takeDueHolders(
  reader: Reader,
  options: {
    readonly chainTime: bigint;
    readonly now: number;
    readonly mints: readonly Address[];
    readonly limit: number;
  },
): Promise<DueHolder[]> {
  const { chainTime, now, mints, limit } = options;
  const time = BigInt(now);
  const { rows } = await sql<DueHolder>`
    with due as (
      select holder.mint, holder.wallet, gate.rule, gate.slot as gate_slot, pass.slot as pass_slot,
        row_number() over (
          partition by holder.mint order by holder.due_at, pass.expires_at desc nulls first, holder.wallet
        ) as turn
      ${await unchecked(reader, chainTime)} and holder.due_at <= ${time} and holder.mint = any(${[...mints]}::text[])
    ), next as (
      select due.* from due join gated_mint queued using (mint) order by due.turn, queued.place limit ${limit}
    )
    update gated_holder holder set due_at = ${time + BigInt(AGAIN_MS)}, attempts = holder.attempts + 1
    from next
    where holder.mint = next.mint and holder.wallet = next.wallet and holder.due_at <= ${time}
    returning holder.mint, holder.wallet, holder.due_at, holder.attempts,
      next.rule, next.gate_slot, next.pass_slot`.execute(reader.db);
  await requeue(
    reader.db,
    rows.map(({ mint }) => mint),
  );
  return rows;
}

/** Records that a wallet had no thawed account at a chain time in Unix seconds. */
export function recordCheck(db: Kysely<Schema>, holder: DueHolder, chainTime: bigint): Promise<void> {
  const { gate_slot: checked_gate, pass_slot: checked_pass } = holder;
  return release(db, holder, {
    checked_time: chainTime,
    checked_gate,
    checked_pass,
    attempts: 0,
    due_at: 0n,
  });
}

/**
 * Records an attempt that did not end the check. One that sent transactions is followed by another one soon, because the wallet
 * can have more accounts than one attempt freezes. One that met no failure does not count.
 */
export function recordAttempt(
  { db, clock }: Pick<Service, 'db' | 'clock'>,
  holder: DueHolder,
  { isSent, isRefused }: { readonly isSent: boolean; readonly isRefused: boolean },
): Promise<void> {
  return release(db, holder, {
    attempts: isRefused ? holder.attempts : 0,
    due_at: isSent ? BigInt(clock.now() + AFTER_SENT_MS) : holder.due_at,
  });
}

/** Changes the row of a wallet, unless another process has it by now. */
async function release(
  db: Kysely<Schema>,
  { mint, wallet, due_at }: DueHolder,
  changes: Updateable<GatedHolderTable>,
): Promise<void> {
  await db
    .updateTable('gated_holder')
    .set(changes)
    .where('mint', '=', mint)
    .where('wallet', '=', wallet)
    .where('due_at', '=', due_at)
    .execute();
}

/** Returns whether the keeper of any process repeatedly failed to freeze what a wallet has, and still tries. */
export async function hasFailedHolder(db: Kysely<Schema>, now: number): Promise<boolean> {
  const failed = await db
    .selectFrom('gated_holder')
    .select('wallet')
    .where('attempts', '>=', FAILED_ATTEMPTS)
    // A wallet that has a live pass again, or whose mint is no longer gated, is not tried any more.
    .where('due_at', '>', BigInt(now - AGAIN_MS))
    .limit(1)
    .executeTakeFirst();
  return failed !== undefined;
}

/** Returns the query of the wallets that must be checked at a chain time in Unix seconds. */
async function unchecked(reader: Reader, chainTime: bigint) {
  const validFrom = await passesValidFrom(reader);
  const flag = (data: string, offset: number) => sql`get_byte(${sql.ref(data)}, ${sql.lit(offset)}) = 1`;
  const { mints } = reader.settings.keeper ?? {};
  return sql`
  from gated_holder holder
  join indexed_account gate on gate.kind = 'freezeList' and gate.mint = holder.mint
  left join indexed_account pass on pass.kind = 'pass' and pass.rule = gate.rule and pass.wallet = holder.wallet
  where ${mints ? sql`holder.mint = any(${[...mints]}::text[])` : sql`true`} and (
    pass.address is null or pass.expires_at <= ${chainTime} or pass.issued_at < ${validFrom}
    or ${isSuspendedAt(chainTime, 'pass.data')}
    or (${flag('pass.data', PASS_OFFSETS.granted)} and not ${flag('gate.data', GATE_HONOURS_GRANTED_OFFSET)})
  ) and (
    holder.checked_time is null
    or holder.checked_gate is distinct from gate.slot
    or holder.checked_pass is distinct from pass.slot
    or (pass.expires_at <= ${chainTime} and holder.checked_time < pass.expires_at)
    or (pass.issued_at < ${validFrom} and holder.checked_time < ${validFrom})
  )`;
}
