/** Changes that the database rejects from any client. PGlite and PostgreSQL use the same triggers. */
import {
  OPERATION_STATES,
  OPERATION_TRANSITIONS,
  PENDING_STATES,
  REVOCATION_TRANSITIONS,
  type RevocationState,
  VERIFICATION_STATES,
  VERIFICATION_TRANSITIONS,
  type VerificationState,
} from '@service/contract';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDraft, addOperationIn, forceState } from '../../test/support/operation-rows.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import type { Database } from './open.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const run = (statement: RawBuilder<unknown>) => statement.execute(database.db);
const pairsOf = <S extends string>(states: readonly S[]) =>
  states.flatMap((from) => states.map((to) => [from, to] as const));
const allows = (table: object, from: string, to: string): boolean =>
  from === to || (table as Record<string, readonly string[]>)[from]!.includes(to);

test.each<[string, Record<string, readonly string[]>]>([
  ['operation', OPERATION_TRANSITIONS],
  ['verification_session', VERIFICATION_TRANSITIONS],
  ['credential_revocation', REVOCATION_TRANSITIONS],
])('the transitions of %s are those of the contract', async (entity, table) => {
  const { rows } = await sql<{ from_state: string; to_state: string }>`
    select from_state, to_state from state_transition where entity = ${entity}`.execute(database.db);
  const expected = Object.entries(table).flatMap(([from, tos]) => tos.map((to) => `${from} > ${to}`));
  expect(rows.map((row) => `${row.from_state} > ${row.to_state}`).sort()).toEqual(expected.sort());
});

describe('an operation', () => {
  const pairs = pairsOf(OPERATION_STATES);

  test.each(pairs)('in %s can become %s only if the contract allows it', async (from, to) => {
    const id = await addOperationIn(database.db, from);
    const written = forceState(database.db, id, to);
    if (allows(OPERATION_TRANSITIONS, from, to)) await written;
    else await expect(written).rejects.toThrow(`operation state ${from} cannot become ${to}`);
    const { state } = await database.db
      .selectFrom('operation')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(state).toBe(allows(OPERATION_TRANSITIONS, from, to) ? to : from);
  });

  test.each(OPERATION_STATES.filter((state) => state !== 'DRAFT'))('cannot begin as %s', async (state) => {
    const begun = run(sql`
      insert into operation (id, wallet, idempotency_key, request_hash, kind, state, message, signature, signed_at,
        slot, failure, last_valid_block_height, draft_slot, created_at, expires_at)
      select ${`begun ${state}`}, 'w', ${state}, '', kind, state, message, ${state}, 1, slot, failure, 1, 1, 1, 1
      from operation where id = ${await addOperationIn(database.db, state)}`);
    await expect(begun).rejects.toThrow(`operation begins as DRAFT, not as ${state}`);
  });

  test.each([
    sql`id = 'y'`,
    sql`wallet = 'y'`,
    sql`idempotency_key = 'y'`,
    sql`request_hash = 'y'`,
    sql`kind = 'CREATE_RULE_SET', rule = 'y'`,
    sql`message = '\\x02'::bytea`,
    sql`last_valid_block_height = 9`,
    sql`draft_slot = 9`,
    sql`created_at = 9`,
    sql`expires_at = 9`,
  ])('keeps what was prepared, as a draft and afterwards (%#)', async (change) => {
    for (const state of OPERATION_STATES) {
      const id = await addOperationIn(database.db, state);
      await expect(run(sql`update operation set ${change} where id = ${id}`)).rejects.toThrow(
        'what was prepared cannot change',
      );
    }
  });

  test.each(OPERATION_STATES.slice(2))('keeps its signature in %s', async (state) => {
    const id = await addOperationIn(database.db, state);
    for (const change of [
      sql`signature = 'y'`,
      sql`signed_at = 9`,
      sql`signature = null, signed_at = null`,
    ]) {
      await expect(run(sql`update operation set ${change} where id = ${id}`)).rejects.toThrow(
        'the signature of an operation cannot change',
      );
    }
  });

  test.each([
    ['FINALIZED', sql`slot = 9`],
    ['FAILED', sql`slot = 9`],
    ['FAILED', sql`failure = '{"reason":"another"}'::jsonb`],
    ['EXPIRED', sql`slot = 9`],
  ] as const)('keeps the outcome of %s', async (state, change) => {
    const id = await addOperationIn(database.db, state);
    await expect(run(sql`update operation set ${change} where id = ${id}`)).rejects.toThrow(
      'the outcome of an operation cannot change',
    );
    // The lease is not part of the outcome.
    await run(sql`update operation set lease_owner = null, due_at = 5 where id = ${id}`);
  });

  test.each(OPERATION_STATES)('in %s can be deleted only if it is an expired draft', async (state) => {
    const id = await addOperationIn(database.db, state);
    const deleted = run(sql`delete from operation where id = ${id}`);
    if (state === 'EXPIRED') await deleted;
    else await expect(deleted).rejects.toThrow('only an expired draft may be deleted');
  });

  test.each(PENDING_STATES)('is the only pending operation of its wallet: %s', async (state) => {
    const id = await addOperationIn(database.db, state);
    const second = await addDraft(database.db, `${id}-second`, id);
    await expect(forceState(database.db, second, 'QUEUED')).rejects.toThrow(
      'operation_one_pending_per_wallet',
    );
  });
});

describe('a verification session', () => {
  const PATHS: Record<VerificationState, VerificationState[]> = {
    STARTED: [],
    ISSUING: ['ISSUING'],
    ISSUED: ['ISSUING', 'ISSUED'],
    FAILED: ['ISSUING', 'FAILED'],
  };
  const CLAIM = sql`verifier_authority = 'v', commitment = '\\x01', issued_at = 1, credential_expires_at = 2, signature = '\\x01'`;

  const insert = (id: string, state: VerificationState) =>
    run(sql`insert into verification_session (id, wallet, state, created_at, expires_at, verifier_authority, commitment,
        issued_at, credential_expires_at, signature)
      values (${id}, 'w', ${state}, 1, 2, 'v', '\\x01', 1, 2, '\\x01')`);
  const write = (id: string, state: VerificationState) =>
    run(sql`update verification_session set state = ${state}, ${CLAIM} where id = ${id}`);

  async function sessionIn(state: VerificationState): Promise<string> {
    const id = `${state}-${Math.random()}`;
    await insert(id, 'STARTED');
    for (const step of PATHS[state]) await write(id, step);
    return id;
  }

  test.each(pairsOf(VERIFICATION_STATES))(
    'in %s can become %s only if the contract allows it',
    async (from, to) => {
      const written = write(await sessionIn(from), to);
      if (allows(VERIFICATION_TRANSITIONS, from, to)) await written;
      else await expect(written).rejects.toThrow(`verification_session state ${from} cannot become ${to}`);
    },
  );

  test.each(VERIFICATION_STATES.slice(1))('cannot begin as %s', async (state) => {
    await expect(insert(`begun ${state}`, state)).rejects.toThrow(
      `verification_session begins as STARTED, not as ${state}`,
    );
  });

  test.each([sql`id = 'y'`, sql`wallet = 'y'`, sql`created_at = 9`, sql`expires_at = 9`])(
    'stays the wallet’s (%#)',
    async (change) => {
      const id = await sessionIn('STARTED');
      await expect(run(sql`update verification_session set ${change} where id = ${id}`)).rejects.toThrow(
        'whose verification session it is cannot change',
      );
    },
  );

  test.each([
    sql`verifier_authority = 'y'`,
    sql`commitment = '\\x02'`,
    sql`issued_at = 9`,
    sql`credential_expires_at = 9`,
    sql`signature = '\\x02'`,
  ])('keeps the credential that it took (%#)', async (change) => {
    for (const state of VERIFICATION_STATES.slice(1)) {
      const id = await sessionIn(state);
      await expect(run(sql`update verification_session set ${change} where id = ${id}`)).rejects.toThrow(
        'the credential of a verification session cannot change',
      );
    }
  });

  test.each(VERIFICATION_STATES)('in %s can be deleted only if it is STARTED', async (state) => {
    const deleted = run(sql`delete from verification_session where id = ${await sessionIn(state)}`);
    if (state === 'STARTED') await deleted;
    else await expect(deleted).rejects.toThrow('of which nothing came');
  });
});

describe('a revocation', () => {
  const STATES = Object.keys(REVOCATION_TRANSITIONS) as RevocationState[];

  const insert = (id: string, state: RevocationState) =>
    run(sql`insert into credential_revocation (id, wallet, verifier_authority, state, revoked_at, signature)
      values (${id}, ${id}, 'v', ${state}, 5, '\\x01')`);
  const write = (id: string, state: RevocationState) =>
    run(sql`update credential_revocation set state = ${state} where id = ${id}`);

  async function revocationIn(state: RevocationState): Promise<string> {
    const id = `${state}-${Math.random()}`;
    await insert(id, 'REVOKING');
    await write(id, state);
    return id;
  }

  test.each(pairsOf(STATES))('in %s can become %s only if the contract allows it', async (from, to) => {
    const written = write(await revocationIn(from), to);
    if (allows(REVOCATION_TRANSITIONS, from, to)) await written;
    else await expect(written).rejects.toThrow(`credential_revocation state ${from} cannot become ${to}`);
  });

  test.each(STATES.slice(1))('cannot begin as %s', async (state) => {
    await expect(insert(`begun ${state}`, state)).rejects.toThrow(
      `credential_revocation begins as REVOKING, not as ${state}`,
    );
  });

  test.each([
    [sql`id = 'y'`, 'whose revocation it is cannot change'],
    [sql`wallet = 'y'`, 'whose revocation it is cannot change'],
    [sql`verifier_authority = 'y'`, 'whose revocation it is cannot change'],
    [sql`revoked_at = 4`, 'a revocation changes only to a later time'],
    [sql`revoked_at = 4, signature = '\\x02'`, 'a revocation changes only to a later time'],
    [sql`signature = '\\x02'`, 'a revocation changes only to a later time'],
  ])('stays what was signed, up to a later time (%#)', async (change, refusal) => {
    for (const state of STATES) {
      const id = await revocationIn(state);
      await expect(run(sql`update credential_revocation set ${change} where id = ${id}`)).rejects.toThrow(
        refusal,
      );
      await run(sql`update credential_revocation set revoked_at = 6, signature = '\\x02' where id = ${id}`);
    }
  });

  test.each(STATES)('in %s cannot be deleted', async (state) => {
    const deleted = run(sql`delete from credential_revocation where id = ${await revocationIn(state)}`);
    await expect(deleted).rejects.toThrow('a revocation may not be deleted');
  });
});
