import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../src/database/schema.ts';

/**
 * Returns statements that leave a database of the same version with the rows that this one has now, and the numbers of
 * its sequences. Run them with `setRows`.
 */
export async function rowsOf(db: Kysely<Schema>): Promise<readonly string[]> {
  const namesIn = async (query: string) => {
    const { rows } = await sql.raw<{ name: string }>(query).execute(db);
    return rows.map(({ name }) => name);
  };
  const one = async <T>(query: string) => (await sql.raw<T>(query).execute(db)).rows[0]!;
  const tables = await namesIn(
    "select format('%I', tablename) as name from pg_tables where schemaname = 'public'",
  );
  const sequences = await namesIn(
    "select format('%I', sequencename) as name from pg_sequences where schemaname = 'public'",
  );
  const statements = [`truncate ${tables.join(', ')}`];
  for (const table of tables) {
    const { rows } = await one<{ rows: string | null }>(
      `select quote_literal(json_agg(each)::text) as rows from ${table} each`,
    );
    if (rows)
      statements.push(`insert into ${table} select * from json_populate_recordset(null::${table}, ${rows})`);
  }
  for (const sequence of sequences) {
    const { number, is_called } = await one<{ number: string; is_called: boolean }>(
      `select last_value::text as number, is_called from ${sequence}`,
    );
    statements.push(`select setval('${sequence}', ${number}, ${is_called})`);
  }
  return statements;
}

/** Replaces the rows of a database by those that `rowsOf` returned. */
export async function setRows(db: Kysely<Schema>, statements: readonly string[]): Promise<void> {
  await db.connection().execute(async (connection) => {
    // As a replica, PostgreSQL runs no triggers. They reject a row whose state is not the first.
    for (const statement of ['set session_replication_role = replica', ...statements, 'reset all']) {
      await sql.raw(statement).execute(connection);
    }
  });
}
