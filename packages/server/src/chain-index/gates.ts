/** Gates in the index: the two lists of each gated mint. */
import { decodeGate, type Gate } from '@service/protocol';
import type { Address } from '@solana/kit';
import { sql } from 'kysely';
import type { Settings } from '../settings.ts';
import { encodedAccount, type IndexReader } from './find.ts';

/**
 * Returns the gates of rule sets in the order of their mints, at most `limit`. Anybody can gate mints to any rule set, and a gate
 * does not say who made it. So the mints that the operator named for the keeper have room first, and then each rule set in turn.
 */
export async function findGates(
  { db, settings: { program, keeper } }: IndexReader & { settings: Pick<Settings, 'keeper'> },
  { rules, limit }: { readonly rules: readonly Address[]; readonly limit: number },
): Promise<Gate[]> {
  if (rules.length === 0) return [];
  const [mint, rule] = [sql.ref('freeze.mint'), sql.ref('freeze.rule')];
  const rows = await db
    .selectFrom('indexed_account as thaw')
    .innerJoin('indexed_account as freeze', (join) =>
      join.onRef('freeze.mint', '=', 'thaw.mint').onRef('freeze.rule', '=', 'thaw.rule'),
    )
    .select(['thaw.data as thaw', 'freeze.data as freeze', 'thaw.address', 'thaw.lamports'])
    .where('thaw.kind', '=', 'thawList')
    .where('freeze.kind', '=', 'freezeList')
    .where('freeze.rule', 'in', [...rules])
    .orderBy(sql`${mint} = any(${[...(keeper?.mints ?? [])]}::text[])`, 'desc')
    .orderBy(sql`row_number() over (partition by ${rule} order by ${mint})`)
    .orderBy('freeze.mint')
    .limit(limit)
    .execute();
  const gates = rows.flatMap(({ thaw, freeze, ...row }) => {
    const list = (data: Uint8Array) => encodedAccount(program, { ...row, data });
    return decodeGate(program, list(thaw), list(freeze)) ?? [];
  });
  return gates.sort((one, next) => (one.mint < next.mint ? -1 : 1));
}
