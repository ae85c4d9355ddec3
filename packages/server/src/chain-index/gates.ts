/** Gates in the index: the two lists of each gated mint. */
import { decodeGate, decodeGateList, type Gate, type GateListKind } from '@service/protocol';
import { type Address, lamports } from '@solana/kit';
import type { IndexedAccountTable } from '../database/schema.ts';
import type { IndexReader } from './find.ts';

type ListRow = Pick<IndexedAccountTable, 'address' | 'data' | 'lamports'>;

/** Decodes a list that the program owns. Returns null if it is malformed. */
export function decodeIndexedList(program: Address, kind: GateListKind, row: ListRow): Gate | null {
  return decodeGateList(program, kind, accountOf(program, row));
}

/** Returns the gates of rule sets in the order of their mints, at most `limit`. */
export async function findGates(
  { db, settings: { program } }: IndexReader,
  { rules, limit }: { readonly rules: readonly Address[]; readonly limit: number },
): Promise<Gate[]> {
  if (rules.length === 0) return [];
  const rows = await db
    .selectFrom('indexed_account as thaw')
    .innerJoin('indexed_account as freeze', (join) =>
      join.onRef('freeze.mint', '=', 'thaw.mint').onRef('freeze.rule', '=', 'thaw.rule'),
    )
    .select(['thaw.data as thaw', 'freeze.data as freeze', 'thaw.address', 'thaw.lamports'])
    .where('thaw.kind', '=', 'thawList')
    .where('freeze.kind', '=', 'freezeList')
    .where('freeze.rule', 'in', [...rules])
    .orderBy('freeze.mint')
    .limit(limit)
    .execute();
  return rows.flatMap(({ thaw, freeze, ...row }) => {
    const list = (data: Uint8Array) => accountOf(program, { ...row, data });
    return decodeGate(program, list(thaw), list(freeze)) ?? [];
  });
}

function accountOf(program: Address, { address, data, lamports: balance }: ListRow) {
  const owned = { exists: true, executable: false, programAddress: program } as const;
  return { ...owned, address, data, lamports: lamports(balance), space: BigInt(data.length) };
}
