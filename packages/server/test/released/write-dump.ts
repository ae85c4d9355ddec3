/**
 * Writes a database of this version, with rows in every table and every state, as `<release>.sql` in this folder. Run it once
 * for a release that changes the database, on PostgreSQL:
 *
 *   .ci/with-postgres npx tsx packages/server/test/released/write-dump.ts 0.2.0
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { OPERATION_STATES, type OperationState, VERIFICATION_STATES } from '@service/contract';
import { getAddressDecoder, getBase58Decoder } from '@solana/kit';
import { type Kysely, sql } from 'kysely';
import { openDatabase } from '../../src/database/database.ts';
import type { Schema } from '../../src/database/schema.ts';
import { addDraft, forceState, PATHS } from '../support/operation-rows.ts';
import { newTestPlace } from '../support/test-database.ts';

const release = process.argv[2];
if (!release || !process.env.TEST_DATABASE_URL) {
  throw new Error('Pass the release, such as 0.2.0, and run the script with .ci/with-postgres.');
}
const place = await newTestPlace();
const { db, close } = await openDatabase(place.options);
for (const [index, state] of OPERATION_STATES.entries()) await addOperation(db, state, index + 1);
await addOtherRows(db);
await close();
const dump = execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-privileges', place.options.url!], {
  encoding: 'utf8',
});
await place.drop();
// PGlite needs neither the settings of psql nor its commands.
const statements = dump
  .split('\n')
  .filter((line) => !/^(SET |SELECT pg_catalog\.set_config|--|\\)/.test(line))
  .join('\n')
  .replaceAll(/\n{3,}/g, '\n\n')
  .trim();
writeFileSync(new URL(`${release}.sql`, import.meta.url), `${statements}\n`);

/** Adds an operation of a wallet of its own, whose session has the token `session-<state>`. */
async function addOperation(db: Kysely<Schema>, state: OperationState, number: number): Promise<void> {
  const id = `00000000-0000-4000-8000-00000000000${number}`;
  const wallet = getAddressDecoder().decode(new Uint8Array(32).fill(number));
  await addDraft(db, id, wallet);
  const signature = getBase58Decoder().decode(new Uint8Array(64).fill(number)) as never;
  for (const step of PATHS[state]) {
    if (step === 'QUEUED')
      await db
        .updateTable('operation')
        .set({ adopted_message: new Uint8Array([2]) })
        .where('id', '=', id)
        .execute();
    await forceState(db, id, step, signature);
  }
  const token_hash = createHash('sha256').update(`session-${state}`).digest('hex');
  await db
    .insertInto('session')
    .values({ token_hash, wallet, created_at: 1n, expires_at: 4_000_000_000_000n })
    .execute();
}

async function addOtherRows(db: Kysely<Schema>): Promise<void> {
  for (const state of VERIFICATION_STATES) {
    await sql`
      insert into verification_session (id, wallet, state, created_at, expires_at, verifier_authority, commitment, issued_at,
        credential_expires_at, signature) values (${state}, 'w', 'STARTED', 1, 2, 'v', '\\x01', 1, 2, '\\x01')`.execute(
      db,
    );
    for (const step of state === 'ISSUED' ? ['ISSUING', 'ISSUED'] : [state]) {
      await sql`update verification_session set state = ${step} where id = ${state}`.execute(db);
    }
  }
  for (const state of ['REVOKING', 'WATCHING', 'SETTLED']) {
    await sql`
      insert into credential_revocation (id, wallet, verifier_authority, revoked_at, signature)
      values (${state}, ${state}, 'v', 5, '\\x01')`.execute(db);
    await sql`update credential_revocation set state = ${state} where id = ${state}`.execute(db);
  }
  for (const statement of [
    sql`insert into challenge values ('c', 'w', 'message', 4000000000000)`,
    sql`insert into rate_limit values ('wallet:w', 1, 4000000000000)`,
    sql`insert into webhook_delivery values ('msg_1', 'verification.completed', 'ISSUED', 1, '\\x01')`,
    sql`insert into deployment values (1, '11111111111111111111111111111111', 'genesis')`,
    sql`insert into indexed_account (address, kind, data, lamports, slot) values ('a', 'config', '\\x01', 1, 1)`,
    sql`insert into index_position (id, slot, time, read_slot, settled_slot, reconciled_at) values (1, 1, 1, 1, 1, 1)`,
    sql`insert into indexed_signature values ('s', 1)`,
  ]) {
    await statement.execute(db);
  }
}
