import type { Address } from '@solana/kit';
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** What a time is for. The program accepts a credential only if its time is later than every time that was signed before. */
type Signed = 'credential' | 'revocation';

/**
 * Reserves the time to sign for a wallet, in Unix seconds. It is now, or a second later than the last credential, so that
 * times rise also within one second and on several machines. `now` is in Unix milliseconds.
 */
export async function reserveSigningTime(
  db: Kysely<Schema>,
  { wallet, what, now }: { readonly wallet: Address; readonly what: Signed; readonly now: number },
): Promise<bigint> {
  const seconds = BigInt(Math.floor(now / 1_000));
  // A revocation can have the time of the credential that it revokes.
  const least =
    what === 'credential' ? sql<bigint>`signed_time.seconds + 1` : sql<bigint>`signed_time.seconds`;
  const row = await db
    .insertInto('signed_time')
    .values({ wallet, seconds })
    .onConflict((on) =>
      on.column('wallet').doUpdateSet({ seconds: sql<bigint>`greatest(${least}, excluded.seconds)` }),
    )
    .returning('seconds')
    .executeTakeFirstOrThrow();
  return row.seconds;
}
