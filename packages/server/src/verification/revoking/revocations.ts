/** Revocations in the database. */
import { randomUUID } from 'node:crypto';
import { expressionBuilder, type Kysely, type Transaction } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { transition, transitionAll } from '../../database/transition.ts';
import type { IssuingSession } from '../tables.ts';
import type { RevocationClaim } from '../webhook/revocation-claim.ts';

/** Queues a revocation; one that reaches no further than what is known of this verifier and wallet changes nothing. */
export async function queueRevocation(
  trx: Transaction<Schema>,
  { statement, signature, verifierAuthority }: RevocationClaim,
): Promise<void> {
  const statedAnew = {
    revoked_at: statement.revokedAt,
    signature,
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
  const queued = await trx
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
    .returning(['id', 'state'])
    .executeTakeFirst();
  if (queued && queued.state !== 'REVOKING') {
    await transition(trx, {
      table: 'credential_revocation',
      id: queued.id,
      from: queued.state,
      to: 'REVOKING',
    });
  }
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
  const { eb, selectFrom } = expressionBuilder<Schema, 'credential_revocation'>();
  const seen = selectFrom('indexed_account')
    .select(({ fn }) => fn.max('slot').as('slot'))
    .where('kind', '=', 'credential')
    .whereRef('indexed_account.wallet', '=', 'credential_revocation.wallet');
  await transitionAll(db, {
    table: 'credential_revocation',
    from: 'WATCHING',
    to: 'REVOKING',
    set: { due_at: 0n, seen_slot: seen },
    where: eb(seen, '>', eb.ref('seen_slot')),
  });
}
