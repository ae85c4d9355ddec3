/** The issuer: leases queued credentials and revocations and processes each one step further. */
import { type Kysely, sql } from 'kysely';
import { type Leased, releaseLeases, takeLeases, underLease } from '../../database/lease.ts';
import type { CredentialRevocation, IssuingSession, Schema } from '../../database/schema.ts';
import { type Changes, type StateAfter, type StateOf, transition } from '../../database/transition.ts';
import { type Background, startBackground } from '../../lib/background.ts';
import type { PaidTransaction } from '../../paid-transaction.ts';
import type { Service } from '../../service.ts';
import { wakeRevocations } from '../revoking/revocations.ts';
import { revokeCredential } from '../revoking/revoke-credential.ts';
import { issueCredential } from './issue-credential.ts';
import type { StepOptions, StepResult } from './send-once.ts';

/** Rows of one kind that one step processes. */
const AT_ONCE = 8;
/** Milliseconds that one row may take; much shorter than the lease. */
const STEP_TIMEOUT_MS = 15_000;
/** Milliseconds before a retry; doubled after each failure, up to a minute. */
const RETRY = { first: 1_000, most: 60_000 } as const;

type Table = 'verification_session' | 'credential_revocation';

type WorkRow = { readonly id: string; readonly attempts: number };

/** One of the two kinds of work: the rows of a table in a state. */
interface Kind<T extends Table, From extends StateOf<T>, Row extends WorkRow> {
  readonly table: T;
  readonly state: From;
  step(service: Service, row: Row, options: StepOptions): Promise<StepResult<StateAfter<T, From>>>;
}

const ISSUING: Kind<'verification_session', 'ISSUING', IssuingSession> = {
  table: 'verification_session',
  state: 'ISSUING',
  step: issueCredential,
};
const REVOKING: Kind<'credential_revocation', 'REVOKING', CredentialRevocation> = {
  table: 'credential_revocation',
  state: 'REVOKING',
  step: revokeCredential,
};

/** Starts the issuer, which puts accepted credentials and revocations on chain. */
export function startCredentialIssuer(service: Service): Background {
  return startBackground(service, {
    name: 'credential issuer',
    job: 'credential issuer',
    step: (signal) => issuerStep(service, signal),
  });
}

/** Runs one step. A row that fails waits for a retry; the others continue. */
export async function issuerStep(service: Service, signal: AbortSignal): Promise<void> {
  await wakeRevocations(service.db);
  await Promise.all([workThrough(service, REVOKING, signal), workThrough(service, ISSUING, signal)]);
}

async function workThrough<T extends Table, From extends StateOf<T>, Row extends WorkRow>(
  service: Service,
  kind: Kind<T, From, Row>,
  signal: AbortSignal,
): Promise<void> {
  const { table, state } = kind;
  const rows = await takeLeases(service.db, {
    table,
    states: [state],
    now: service.clock.now(),
    limit: AT_ONCE,
  });
  const work = async (row: Leased<Row>) =>
    finish(service, kind, row, await runStep(service, kind, row, signal));
  await Promise.all((rows as unknown as Leased<Row>[]).map(work));
}

async function runStep<T extends Table, From extends StateOf<T>, Row extends WorkRow>(
  service: Service,
  kind: Kind<T, From, Row>,
  row: Leased<Row>,
  signal: AbortSignal,
): Promise<StepResult<StateAfter<T, From>>> {
  try {
    const result = await kind.step(service, row, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(STEP_TIMEOUT_MS)]),
      store: (transaction) => store(service.db, kind.table, row, transaction),
    });
    service.outages.worked(`processing ${kind.table}`);
    return result;
  } catch (error) {
    service.outages.failed(`processing ${kind.table}`, error);
    return { outcome: 'AGAIN', reason: error instanceof Error ? error.message : 'unknown' };
  }
}

async function store(
  db: Kysely<Schema>,
  table: Table,
  row: Leased<WorkRow>,
  transaction: PaidTransaction | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)}
    set sent_transaction = ${transaction?.wire ?? null}, sent_signature = ${transaction?.signature ?? null},
      sent_last_valid = ${transaction?.lastValid ?? null}
    where ${underLease([row])}`.execute(db);
  return numAffectedRows === 1n;
}

async function finish<T extends Table, From extends StateOf<T>, Row extends WorkRow>(
  service: Service,
  { table, state: from }: Kind<T, From, Row>,
  row: Leased<Row>,
  result: StepResult<StateAfter<T, From>>,
): Promise<void> {
  const { db, log, clock } = service;
  const { id, lease_owner: owner, attempts } = row;
  const now = clock.now();
  switch (result.outcome) {
    case 'MOVED': {
      const { state, reason } = result;
      const failure = reason === undefined ? {} : { failure: reason };
      const set = { lease_owner: null, lease_until: null, ...failure } as unknown as Changes<T>;
      await transition(db, { table, id, from, to: state, set, where: underLease([row]) });
      log[reason === undefined ? 'info' : 'warn'](
        { table, id, state, reason },
        'credential work has a result',
      );
      return;
    }
    case 'AGAIN': {
      await sql`
        update ${sql.table(table)} set attempts = ${attempts + 1}, last_error = ${result.reason}
        where ${underLease([row])}`.execute(db);
      await releaseLeases(db, { table, owner, due: new Map([[id, now + backoff(attempts)]]) });
      log.warn({ table, id, reason: result.reason }, 'credential work failed; it will be retried');
      return;
    }
    case 'WAITING':
      await releaseLeases(db, { table, owner, due: new Map([[id, now]]) });
  }
}

function backoff(attempts: number): number {
  return Math.min(RETRY.most, RETRY.first * 2 ** Math.min(attempts, 10));
}
