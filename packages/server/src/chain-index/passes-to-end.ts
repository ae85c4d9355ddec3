/**
 * Finds live passes that must end: the credential is revoked, the verifier is inactive, or the circuit is unsound. A pass of
 * a credential that was replaced is not among them, because holders who verify again keep their passes.
 */
import type { AccountOf, Found } from '@service/protocol';
import type { Address } from '@solana/kit';
import { sql } from 'kysely';
import { findAccounts, type IndexReader } from './find.ts';

/** The passes at a chain time in Unix seconds. */
const toEnd = (chainTime: bigint) => sql`
  from indexed_account pass
  left join indexed_account credential on credential.kind = 'credential' and credential.wallet = pass.wallet
  where pass.kind = 'pass' and pass.expires_at > ${chainTime} and (
    credential.is_void
    or pass.verifier in (select address from indexed_account where kind = 'verifier' and is_void)
    or pass.circuit in (select address from indexed_account where kind = 'circuit' and is_void)
  )`;

/** Returns some of these passes by their addresses. `chainTime` is in Unix seconds. */
export async function findPassesToEnd(
  reader: IndexReader,
  { chainTime, except, limit }: { chainTime: bigint; except: readonly Address[]; limit: number },
): Promise<Found<AccountOf<'pass'>>[]> {
  const { rows } = await sql<{ address: Address }>`
    select pass.address ${toEnd(chainTime)} and pass.address <> all(${[...except]}::text[])
    order by pass.address limit ${limit}`.execute(reader.db);
  return findAccounts(reader, 'pass', { address: rows.map(({ address }) => address) });
}

/** Counts these passes. `chainTime` is in Unix seconds. */
export async function countPassesToEnd({ db }: IndexReader, chainTime: bigint): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`select count(*) ${toEnd(chainTime)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}
