/** Finds granted passes that are over: they have expired, or governance ended them. Suspended ones must stay. */
import { PASS_OFFSETS, SYSTEM_PROGRAM } from '@service/protocol';
import type { Address } from '@solana/kit';
import { sql } from 'kysely';
import { type IndexReader, isSuspendedAt, passesValidFrom } from './find.ts';

/** A granted pass. */
export interface Grant {
  /** The pass. */
  readonly address: Address;
  readonly rule: Address;
  /** The creator of the rule set, who gets the rent. */
  readonly creator: Address;
}

/** Returns some of these passes, those that expired first. `chainTime` is in Unix seconds. */
export async function findGrantsToEnd(
  reader: IndexReader,
  { chainTime, except, limit }: { chainTime: bigint; except: readonly Address[]; limit: number },
): Promise<Grant[]> {
  const validFrom = await passesValidFrom(reader);
  const { rows } = await sql<Grant>`
    select pass.address, pass.rule, rule_set.wallet as creator
    from indexed_account pass
    join indexed_account rule_set on rule_set.address = pass.rule and rule_set.kind = 'ruleSet'
    where pass.kind = 'pass' and pass.circuit = ${sql.lit(SYSTEM_PROGRAM)}
      and get_byte(pass.data, ${sql.lit(PASS_OFFSETS.granted)}) = 1
      and (pass.expires_at <= ${chainTime} or pass.issued_at < ${validFrom})
      and not ${isSuspendedAt(chainTime, 'pass.data')}
      and pass.address <> all(${[...except]}::text[])
    order by pass.expires_at, pass.address limit ${limit}`.execute(reader.db);
  return rows;
}
