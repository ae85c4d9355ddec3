/** Remembers the wallets that have or had a pass for the rule set of a gated mint, for the keeper. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Reading } from './reading.ts';

/**
 * Remembers the wallets of a reading that have a pass for the rule set of a gated mint. Call it in the transaction that writes the
 * reading, because a later step may not find a pass that was closed since.
 */
export async function rememberHolders(trx: Kysely<Schema>, { entries }: Reading): Promise<void> {
  for (const [kind, row] of [
    ['pass', 'pass'],
    ['freezeList', 'gate'],
  ] as const) {
    const addresses = entries.filter((entry) => entry.kind === kind).map(({ address }) => address);
    if (addresses.length === 0) continue;
    await sql`
      insert into gated_holder (mint, wallet)
      select gate.mint, pass.wallet from indexed_account gate
      join indexed_account pass on pass.kind = 'pass' and pass.rule = gate.rule
      where gate.kind = 'freezeList' and ${sql.ref(`${row}.address`)} = any(${addresses}::text[])
      on conflict do nothing`.execute(trx);
  }
}
