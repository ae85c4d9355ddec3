/** Revocations in the database. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { IssuingSession } from './issue-credential.ts';
import type { RevocationClaim } from './revocation-claim.ts';

/** Queues a revocation; one that reaches no further than what is known of this verifier and wallet changes nothing. */
export async function queueRevocation(
  trx: Transaction<Schema>,
  { statement, signature, verifierAuthority }: RevocationClaim,
): Promise<void> {
  const statedAnew = {
    revoked_at: statement.revokedAt,
    signature,
    state: 'REVOKING',
    seen_slot: -1n,
    sent_transaction: null,
    sent_signature: null,
    sent_last_valid: null,
    attempts: 0,
    last_error: null,
    // Who is at the earlier one loses it, and changes nothing here any more.
    lease_owner: null,
    lease_until: null,
    due_at: 0n,
  } as const;
  await trx
    .insertInto('credential_revocation')
    .values({
      id: randomUUID(),
      wallet: statement.wallet,
      verifier_authority: verifierAuthority,
      ...statedAnew,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['wallet', 'verifier_authority'])
        .doUpdateSet(statedAnew)
        .where('credential_revocation.revoked_at', '<', statement.revokedAt),
    )
    .execute();
}

/** Whether the verifier of a session has revoked what it signed for the wallet up to the time of this credential, or later. */
export async function isRevokedUpTo(
  db: Kysely<Schema>,
  { wallet, verifier_authority, issued_at }: IssuingSession,
): Promise<boolean> {
  const found = await db
    .selectFrom('credential_revocation')
    .select('id')
    .where('wallet', '=', wallet)
    .where('verifier_authority', '=', verifier_authority)
    .where('revoked_at', '>=', issued_at)
    .executeTakeFirst();
  return found !== undefined;
}

/** Has those revocations looked at again whose wallet's credential the index has read since. */
export async function wakeRevocations(db: Kysely<Schema>): Promise<void> {
  await sql`
    update credential_revocation
    set state = 'REVOKING', due_at = 0, seen_slot = indexed_account.slot
    from indexed_account
    where credential_revocation.state = 'WATCHING'
      and indexed_account.kind = 'credential'
      and indexed_account.wallet = credential_revocation.wallet
      and indexed_account.slot > credential_revocation.seen_slot`.execute(db);
}
