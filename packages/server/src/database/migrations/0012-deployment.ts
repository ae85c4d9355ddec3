import { type Kysely, sql } from 'kysely';

export const name = 'deployment-1';

/** Creates the deployment that the database belongs to: one row, written at the first start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deployment (
      id smallint primary key check (id = 1),
      program text not null,
      genesis_hash text not null
    )`.execute(db);
}
