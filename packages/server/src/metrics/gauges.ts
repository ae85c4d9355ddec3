/** Gauges, which are read on each scrape: waiting rows, and the lag of the index. */
import { PENDING_STATES } from '@service/contract';
import type { Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { readChainTip } from '../chain-index/index.ts';
import { countPassesToEnd } from '../chain-index/passes-to-end.ts';
import { readPosition } from '../chain-index/position.ts';
import type { Database } from '../database/open.ts';
import type { Schema } from '../database/schema.ts';
import { ATTENTION, readAttention } from '../health/attention.ts';
import { attempt } from '../lib/attempt.ts';
import type { Service } from '../service.ts';
import { readFeePayerBalance } from '../verification/index.ts';

/** States that can still change. Counting the other states would read the whole table. */
const OPEN_STATES = ['DRAFT', ...PENDING_STATES] as const;

/** Adds the gauges. A gauge that cannot be read in time is omitted or NaN, because a stale number would mislead. */
export function addGauges(service: Service, pool: Database['pool']): void {
  const { db, signal } = service;
  const registers = [service.metrics.registry];
  // Gauges are read in the order of this function. The others wait for connections themselves, so this one comes first.
  if (pool) addPoolGauge(pool, registers);
  new Gauge({
    name: 'service_operations',
    help: 'Operations without a final result, by state (DRAFT, QUEUED, SUBMITTED, UNRESOLVED).',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      this.reset();
      const counts = await attempt(service, 'counting operations', signal, () => countOperations(db));
      if (!counts.ok) return;
      for (const state of OPEN_STATES) this.set({ state }, counts.value[state] ?? 0);
    },
  });
  new Gauge({
    name: 'service_credential_queue',
    help: 'Credentials and revocations that wait to go on chain, by work (credential, revocation).',
    labelNames: ['work'] as const,
    registers,
    async collect() {
      this.reset();
      const counts = await attempt(service, 'counting credentials', signal, () => countQueue(db));
      if (!counts.ok) return;
      for (const [work, count] of Object.entries(counts.value)) this.set({ work }, count);
    },
  });
  new Gauge({
    name: 'service_passes_to_close',
    help: 'Live passes that their credential, verifier or circuit no longer supports, and that the service closes.',
    registers,
    async collect() {
      const count = await attempt(service, 'counting passes to close', signal, async () => {
        const position = await readPosition(db);
        return position ? countPassesToEnd(service, position.time) : undefined;
      });
      this.set(count.ok && count.value !== undefined ? count.value : Number.NaN);
    },
  });
  new Gauge({
    name: 'service_events_waiting',
    help: 'Events that the receiver of webhooks has not accepted yet; 0 without a receiver.',
    registers,
    async collect() {
      const count = await attempt(service, 'counting events', signal, () => countEvents(service));
      this.set(count.ok ? count.value : Number.NaN);
    },
  });
  new Gauge({
    name: 'service_index_lag_seconds',
    help: 'Chain seconds by which the index is behind the finalized chain; NaN before its first reading and while the chain or the database does not respond.',
    registers,
    async collect() {
      const lag = await attempt(service, 'reading the index lag', signal, async (limited) => {
        const [position, tip] = await Promise.all([readPosition(db), readChainTip(service, limited)]);
        return position && Number(tip.time - position.time);
      });
      this.set(lag.ok && lag.value !== undefined ? lag.value : Number.NaN);
    },
  });
  new Gauge({
    name: 'service_fee_payer_lamports',
    help: 'Lamports of the fee payer at confirmed; NaN while the chain does not respond.',
    registers,
    async collect() {
      const balance = await attempt(service, 'reading the fee payer’s balance', signal, () =>
        readFeePayerBalance(service),
      );
      this.set(balance.ok ? Number(balance.value) : Number.NaN);
    },
  });
  new Gauge({
    name: 'service_attention',
    help: 'Whether a person should look at a part (credentials, feePayer, operations, passes): 1 or 0.',
    labelNames: ['part'] as const,
    registers,
    async collect() {
      const found = await readAttention(service, signal);
      for (const part of ATTENTION) this.set({ part }, found.includes(part) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'service_clock_skew_seconds',
    help: 'Seconds by which the clock of this machine is ahead of the database’s.',
    registers,
    collect() {
      this.set(service.databaseClock.skewMs() / 1_000);
    },
  });
}

function addPoolGauge(pool: NonNullable<Database['pool']>, registers: Registry[]): void {
  new Gauge({
    name: 'service_database_connections',
    help: 'Connections of this process to PostgreSQL, by state (busy, idle), and statements that wait for one (waiting).',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}

async function countOperations(db: Kysely<Schema>): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('operation')
    .select(['state', (operation) => operation.fn.countAll().as('count')])
    // Each condition uses one of the partial indexes.
    .where((operation) =>
      operation.or([operation('state', '=', 'DRAFT'), operation('state', 'in', PENDING_STATES)]),
    )
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

async function countEvents({ db, settings }: Service): Promise<number> {
  if (!settings.events) return 0;
  const { count } = await db
    .selectFrom('event')
    .select((event) => event.fn.countAll().as('count'))
    .where('delivered_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function countQueue(db: Kysely<Schema>): Promise<{ credential: number; revocation: number }> {
  const [credentials, revocations] = await Promise.all([
    db
      .selectFrom('verification_session')
      .select((session) => session.fn.countAll().as('count'))
      .where('state', '=', 'ISSUING')
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('credential_revocation')
      .select((revocation) => revocation.fn.countAll().as('count'))
      .where('state', '=', 'REVOKING')
      .executeTakeFirstOrThrow(),
  ]);
  return { credential: Number(credentials.count), revocation: Number(revocations.count) };
}
