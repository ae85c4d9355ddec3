/** The kinds of operations of an issuer and of the creator of a rule set. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table operation
      drop constraint operation_kind_check,
      add constraint operation_kind_check check (kind in
        ('CREATE_RULE_SET', 'BIND_MINT', 'PROVE', 'ISSUE', 'TRANSFER', 'RECOVER', 'REDEEM', 'SUSPEND', 'GRANT'))`.execute(
    db,
  );
}
