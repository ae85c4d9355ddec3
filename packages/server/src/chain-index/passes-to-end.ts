/**
 * Finds live passes that must end: their credential was revoked, their verifier is inactive, or their circuit is unsound.
 * Other passes whose credential was replaced are not among them, because people verify again and keep their passes. Nor
 * are granted passes: they have no proof, and so neither verifier nor circuit.
 */
import { type AccountOf, type Found, SYSTEM_PROGRAM } from '@service/protocol';
import type { Address } from '@solana/kit';
import { sql } from 'kysely';
import { findAccounts, type IndexReader, passesValidFrom } from './find.ts';

/** Whether a revocation covers the credential of a pass that has another credential by now. */
const revokedBefore = sql`
  (credential.commitment <> pass.commitment or credential.verifier <> pass.verifier) and exists (
    select from credential_revocation revocation
    join indexed_account verifier on verifier.kind = 'verifier' and verifier.wallet = revocation.verifier_authority
    where revocation.wallet = pass.wallet and verifier.address = pass.verifier and (
      revocation.revoked_at >= pass.issued_at
      or exists (
        select from verification_session session
        where session.wallet = pass.wallet and session.commitment = pass.commitment
          and session.issued_at <= revocation.revoked_at
      )
    )
  )`;

/** Returns the query of these passes at a chain time in Unix seconds. */
async function toEnd(reader: IndexReader, chainTime: bigint) {
  const validFrom = await passesValidFrom(reader);
  return sql`
  from indexed_account pass
  left join indexed_account credential on credential.kind = 'credential' and credential.wallet = pass.wallet
  where pass.kind = 'pass' and pass.expires_at > ${chainTime} and pass.issued_at >= ${validFrom}
    and pass.circuit <> ${SYSTEM_PROGRAM} and (
    credential.is_void
    or pass.verifier in (select address from indexed_account where kind = 'verifier' and is_void)
    or pass.circuit in (select address from indexed_account where kind = 'circuit' and is_void)
    or ${revokedBefore}
  )`;
}

/** Returns some of these passes, those of revoked credentials first. `chainTime` is in Unix seconds. */
export async function findPassesToEnd(
  reader: IndexReader,
  { chainTime, except, limit }: { chainTime: bigint; except: readonly Address[]; limit: number },
): Promise<Found<AccountOf<'pass'>>[]> {
  const { rows } = await sql<{ address: Address }>`
    select pass.address ${await toEnd(reader, chainTime)} and pass.address <> all(${[...except]}::text[])
    order by not coalesce(credential.is_void, false), pass.address limit ${limit}`.execute(reader.db);
  if (rows.length === 0) return [];
  return findAccounts(reader, 'pass', { address: rows.map(({ address }) => address) });
}

/** Counts these passes. `chainTime` is in Unix seconds. */
export async function countPassesToEnd(reader: IndexReader, chainTime: bigint): Promise<number> {
  const query = await toEnd(reader, chainTime);
  const { rows } = await sql<{ count: bigint }>`select count(*) ${query}`.execute(reader.db);
  return Number(rows[0]?.count ?? 0);
}
