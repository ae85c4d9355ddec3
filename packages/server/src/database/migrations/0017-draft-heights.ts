import { type Kysely, sql } from 'kysely';

export const name = '0017-draft-heights';

/** Creates an index for drafts whose blockhash expires. Without it, each step of the worker reads every draft. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index operation_draft_heights on operation (last_valid_block_height) where state = 'DRAFT'`.execute(
    db,
  );
}
