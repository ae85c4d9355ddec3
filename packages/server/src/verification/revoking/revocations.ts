/** Revocations in the database. */
import { randomUUID } from 'node:crypto';
import type { RevocationStatement } from '@service/protocol';
import { expressionBuilder, type Kysely, type Transaction } from 'kysely';
import type { IssuingSession, Schema } from '../../database/schema.ts';
import { transition, transitionAll } from '../../database/transition.ts';
import type { Claim } from '../webhook/claims.ts';

/** Queues a revocation. It changes nothing if a revocation of this verifier and wallet has the same or a later time. */
export async function queueRevocation(
  trx: Transaction<Schema>,
  { statement, signature, verifierAuthority }: Claim<RevocationStatement>,
): Promise<void> {
  const latest = {
    revoked_at: statement.revokedAt,
    signature,
    seen_slot: -1n,
    sent_transaction: null,
    sent_signature: null,
    sent_last_valid: null,
    attempts: 0,
    last_error: null,
    // A process that works on the earlier revocation loses its lease.
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
      ...latest,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['wallet', 'verifier_authority'])
        .doUpdateSet(latest)
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

/** Returns whether the session's verifier revoked what it signed for the wallet up to this credential's time or later. */
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

/** Queues revocations again whose wallet's credential changed in the index since the last check. */
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
