import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../src/database/schema.ts';

/** Returns the shape of the database as sorted lines: columns, constraints, indexes, triggers, functions, transitions. */
export async function readShape(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable, column_default, collation_name) as line
      from information_schema.columns where table_schema = 'public'
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select indexdef from pg_indexes where schemaname = 'public'
    union all
    select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all
    select concat_ws(' ', 'function', proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'transition', entity, from_state, to_state) from state_transition
    order by line`.execute(db);
  return rows.map(({ line }) => line);
}
