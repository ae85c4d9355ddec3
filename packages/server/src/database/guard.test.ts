/** Changes that the database rejects from any client. PGlite and PostgreSQL use the same triggers. */
import {
  OPERATION_STATES,
  OPERATION_TRANSITIONS,
  type OperationState,
  PENDING_STATES,
  REVOCATION_TRANSITIONS,
  type RevocationState,
  VERIFICATION_STATES,
  VERIFICATION_TRANSITIONS,
  type VerificationState,
} from '@service/contract';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { addDraft, addOperationIn, forceState } from '../../test/support/operation-rows.ts';
import { databaseOfFile } from '../../test/support/test-database.ts';

const database = databaseOfFile();

const run = (statement: RawBuilder<unknown>) => statement.execute(database.db);

/** A kind of row with a state. */
interface Entity<S extends string = string> {
  readonly table: string;
  readonly transitions: Record<S, readonly string[]>;
  /** Inserts a row in a state, which the database allows for the first state only. */
  begin(id: string, state: S): Promise<unknown>;
  /** Writes a state without `transition`. */
  write(id: string, state: S): Promise<unknown>;
  /** Adds a row in a state by allowed transitions. Returns its id. */
  add(state: S): Promise<string>;
  /** The state in which a row may be deleted, and the error in any other. */
  readonly deletable: S | null;
  readonly keptBecause: string;
}

const operation: Entity<OperationState> = {
  table: 'operation',
  transitions: OPERATION_TRANSITIONS,
  begin: async (id, state) =>
    run(sql`
      insert into operation (id, wallet, idempotency_key, request_hash, kind, state, message, signature, signed_at,
        slot, failure, last_valid_block_height, draft_slot, created_at, expires_at)
      select ${id}, 'w', ${state}, '', kind, state, message, ${state}, 1, slot, failure, 1, 1, 1, 1
      from operation where id = ${await operation.add(state)}`),
  write: (id, state) => forceState(database.db, id, state),
  add: (state) => addOperationIn(database.db, state),
  deletable: 'EXPIRED',
  keptBecause: 'only an expired draft may be deleted',
};

const session: Entity<VerificationState> = {
  table: 'verification_session',
  transitions: VERIFICATION_TRANSITIONS,
  begin: (id, state) =>
    run(sql`insert into verification_session (id, wallet, state, created_at, expires_at, verifier_authority, commitment,
        issued_at, credential_expires_at, signature)
      values (${id}, 'w', ${state}, 1, 2, 'v', '\\x01', 1, 2, '\\x01')`),
  write: (id, state) =>
    run(sql`update verification_session set state = ${state}, verifier_authority = 'v', commitment = '\\x01',
        issued_at = 1, credential_expires_at = 2, signature = '\\x01' where id = ${id}`),
  async add(state) {
    const id = `${state}-${Math.random()}`;
    await session.begin(id, 'STARTED');
    if (state !== 'STARTED') await session.write(id, 'ISSUING');
    await session.write(id, state);
    return id;
  },
  deletable: 'STARTED',
  keptBecause: 'of which nothing came',
};

const revocation: Entity<RevocationState> = {
  table: 'credential_revocation',
  transitions: REVOCATION_TRANSITIONS,
  begin: (id, state) =>
    run(sql`insert into credential_revocation (id, wallet, verifier_authority, state, revoked_at, signature)
      values (${id}, ${id}, 'v', ${state}, 5, '\\x01')`),
  write: (id, state) => run(sql`update credential_revocation set state = ${state} where id = ${id}`),
  async add(state) {
    const id = `${state}-${Math.random()}`;
    await revocation.begin(id, 'REVOKING');
    await revocation.write(id, state);
    return id;
  },
  deletable: null,
  keptBecause: 'a revocation may not be deleted',
};

const update = ({ table }: Pick<Entity, 'table'>, id: string, change: RawBuilder<unknown>) =>
  run(sql`update ${sql.table(table)} set ${change} where id = ${id}`);

describe.each([operation, session, revocation] as Entity[])('$table', (entity) => {
  const { table, transitions, deletable, keptBecause } = entity;
  const states = Object.keys(transitions);
  const pairs = states.flatMap((from) => states.map((to) => [from, to] as const));

  test('has the transitions of the contract', async () => {
    const { rows } = await sql<{ change: string }>`
      select concat(from_state, ' > ', to_state) as change from state_transition
      where entity = ${table}`.execute(database.db);
    const expected = Object.entries(transitions).flatMap(([from, tos]) => tos.map((to) => `${from} > ${to}`));
    expect(rows.map(({ change }) => change).sort()).toEqual(expected.sort());
  });

  test.each(pairs)('in %s can become %s only if the contract allows it', async (from, to) => {
    const id = await entity.add(from);
    const isAllowed = from === to || transitions[from]!.includes(to);
    const written = entity.write(id, to);
    if (isAllowed) await written;
    else await expect(written).rejects.toThrow(`${table} state ${from} cannot become ${to}`);
    const { rows } = await sql`select state from ${sql.table(table)} where id = ${id}`.execute(database.db);
    expect(rows).toEqual([{ state: isAllowed ? to : from }]);
  });

  test.each(states.slice(1))('cannot begin as %s', async (state) => {
    const begun = entity.begin(`begun ${state}`, state);
    await expect(begun).rejects.toThrow(`${table} begins as ${states[0]}, not as ${state}`);
  });

  test.each(states)('in %s can be deleted only if the rules allow it', async (state) => {
    const deleted = run(sql`delete from ${sql.table(table)} where id = ${await entity.add(state)}`);
    if (state === deletable) await deleted;
    else await expect(deleted).rejects.toThrow(keptBecause);
  });
});

describe('an operation', () => {
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
      const changed = update(operation, await operation.add(state), change);
      await expect(changed).rejects.toThrow('what was prepared cannot change');
    }
  });

  test.each(OPERATION_STATES.slice(2))('keeps its signature in %s', async (state) => {
    const id = await operation.add(state);
    for (const change of [
      sql`signature = 'y'`,
      sql`signed_at = 9`,
      sql`signature = null, signed_at = null`,
    ]) {
      const changed = update(operation, id, change);
      await expect(changed).rejects.toThrow('the signature of an operation cannot change');
    }
  });

  test.each([
    ['FINALIZED', sql`slot = 9`],
    ['FAILED', sql`slot = 9`],
    ['FAILED', sql`failure = '{"reason":"another"}'::jsonb`],
    ['EXPIRED', sql`slot = 9`],
  ] as const)('keeps the outcome of %s', async (state, change) => {
    const id = await operation.add(state);
    const changed = update(operation, id, change);
    await expect(changed).rejects.toThrow('the outcome of an operation cannot change');
    // The lease is not part of the outcome.
    await update(operation, id, sql`lease_owner = null, due_at = 5`);
  });

  const adopting = (byte: string) => sql`adopted_message = ${Buffer.from(byte, 'hex')}`;

  test.each(OPERATION_STATES)('in %s takes an adopted message only as a draft, once', async (state) => {
    const id = await operation.add(state);
    const refusal = 'only a draft adopts a message, once';
    if (state !== 'DRAFT') await expect(update(operation, id, adopting('02'))).rejects.toThrow(refusal);
    else {
      await update(operation, id, adopting('02'));
      for (const change of [adopting('03'), sql`adopted_message = null`])
        await expect(update(operation, id, change)).rejects.toThrow(refusal);
    }
  });

  test('does not take an adopted message together with its signature, and keeps the one it has', async () => {
    const signed = sql`state = 'QUEUED', signature = 's', signed_at = 1`;
    const refusal = 'only a draft adopts a message, once';
    const id = await operation.add('DRAFT');
    await expect(update(operation, id, sql`${signed}, ${adopting('02')}`)).rejects.toThrow(refusal);
    await update(operation, id, adopting('02'));
    await update(operation, id, signed);
    await expect(update(operation, id, adopting('03'))).rejects.toThrow(refusal);
  });

  test.each(PENDING_STATES)('is the only pending operation of its wallet: %s', async (state) => {
    const id = await operation.add(state);
    const second = await addDraft(database.db, `${id}-second`, id);
    await expect(operation.write(second, 'QUEUED')).rejects.toThrow('operation_one_pending_per_wallet');
  });
});

describe('a verification session', () => {
  test.each([sql`id = 'y'`, sql`wallet = 'y'`, sql`created_at = 9`, sql`expires_at = 9`])(
    'keeps its wallet and times (%#)',
    async (change) => {
      const changed = update(session, await session.add('STARTED'), change);
      await expect(changed).rejects.toThrow('whose verification session it is cannot change');
    },
  );

  test.each([
    sql`verifier_authority = 'y'`,
    sql`commitment = '\\x02'`,
    sql`issued_at = 9`,
    sql`credential_expires_at = 9`,
    sql`signature = '\\x02'`,
  ])('keeps the credential that it accepted (%#)', async (change) => {
    for (const state of VERIFICATION_STATES.slice(1)) {
      const changed = update(session, await session.add(state), change);
      await expect(changed).rejects.toThrow('the credential of a verification session cannot change');
    }
  });
});

test.each([
  [sql`id = 'y'`, 'whose revocation it is cannot change'],
  [sql`wallet = 'y'`, 'whose revocation it is cannot change'],
  [sql`verifier_authority = 'y'`, 'whose revocation it is cannot change'],
  [sql`revoked_at = 4`, 'a revocation changes only to a later time'],
  [sql`revoked_at = 4, signature = '\\x02'`, 'a revocation changes only to a later time'],
  [sql`signature = '\\x02'`, 'a revocation changes only to a later time'],
])('a revocation keeps what was signed, up to a later time (%#)', async (change, refusal) => {
  for (const state of Object.keys(REVOCATION_TRANSITIONS) as RevocationState[]) {
    const id = await revocation.add(state);
    await expect(update(revocation, id, change)).rejects.toThrow(refusal);
    await update(revocation, id, sql`revoked_at = 6, signature = '\\x02'`);
  }
});
