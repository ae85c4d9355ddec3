/** Remembers the wallets that have or had a pass for the rule set of a gated mint, for the keeper. */
import type { Address } from '@solana/kit';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Settings } from '../settings.ts';
import type { Reading } from './reading.ts';

/** The settings that name the mints of the keeper. */
type KeeperSettings = Pick<Settings, 'keeper'>;

/**
 * Remembers the wallets of a reading that have a pass for the rule set of a gated mint. Call it in the transaction that writes the
 * reading, because a later step may not find a pass that was closed since. Only mints that the keeper serves are remembered:
 * anybody can gate mints to any rule set, and each would take a row for each pass.
 */
export async function rememberHolders(
  trx: Kysely<Schema>,
  { keeper }: KeeperSettings,
  { entries }: Reading,
): Promise<void> {
  for (const [kind, row] of [
    ['pass', 'pass'],
    ['freezeList', 'gate'],
  ] as const) {
    const addresses = entries.filter((entry) => entry.kind === kind).map(({ address }) => address);
    if (addresses.length === 0) continue;
    await remember(trx, keeper?.mints, sql`${sql.ref(`${row}.address`)} = any(${addresses}::text[])`);
  }
}

/**
 * Remembers the wallets that have a pass now for the rule set of a mint that the operator named. Call it again after the mints
 * may have changed: the index did not remember the wallets of a mint that was not named.
 */
export async function rememberHoldersOfNamed(db: Kysely<Schema>, { keeper }: KeeperSettings): Promise<void> {
  if (keeper?.mints) await remember(db, keeper.mints, sql`true`);
}

async function remember(
  db: Kysely<Schema>,
  mints: readonly Address[] | undefined,
  condition: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into gated_holder (mint, wallet)
    select gate.mint, pass.wallet from indexed_account gate
    join indexed_account pass on pass.kind = 'pass' and pass.rule = gate.rule
    where gate.kind = 'freezeList' and ${mints ? sql`gate.mint = any(${[...mints]}::text[])` : sql`true`} and ${condition}
    on conflict do nothing`.execute(db);
}
