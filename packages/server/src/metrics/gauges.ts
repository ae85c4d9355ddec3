/** Gauges, which are read on each scrape: waiting rows, the lag of the index, and what a person should look at. */
import { PENDING_STATES } from '@service/contract';
import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import { readChainTip } from '../chain-head/index.ts';
import { countPassesToEnd } from '../chain-index/passes-to-end.ts';
import { readPosition } from '../chain-index/position.ts';
import type { Database } from '../database/database.ts';
import { ATTENTION, readAttention } from '../health/attention.ts';
import { countHoldersToCheck } from '../keeper/due-holders.ts';
import { attempt } from '../lib/attempt.ts';
import type { Service } from '../service.ts';
import { readFeePayerBalance } from '../verification/issuing/fee-payer.ts';

/** States that can still change. Counting the other states would read the whole table. */
const OPEN_STATES = ['DRAFT', ...PENDING_STATES] as const;

interface GaugeOptions {
  readonly name: string;
  readonly help: string;
  /** The label by which `read` returns several numbers. @default none: it returns one number */
  readonly label?: string;
  /** Returns undefined if it cannot read. */
  read(): Reading | Promise<Reading>;
}
type Reading = number | Readonly<Record<string, number>> | undefined;

/** Adds the gauges. A gauge that cannot be read in time is omitted or NaN, because a stale number would mislead. */
export function addGauges(service: Service, pool: Database['pool']): void {
  for (const gauge of gaugesOf(service, pool)) addGauge(service, gauge);
}

function addGauge({ metrics }: Service, { name, help, label, read }: GaugeOptions): void {
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [metrics.registry],
    async collect() {
      const found = await read();
      if (label === undefined) return this.set(typeof found === 'number' ? found : Number.NaN);
      this.reset();
      for (const [value, count] of Object.entries(found ?? {})) this.set({ [label]: value }, count);
    },
  });
}

function gaugesOf(service: Service, pool: Database['pool']): GaugeOptions[] {
  const { db, settings, signal } = service;
  const tried = (what: string, ask: (signal: AbortSignal) => Promise<Reading>) => async () => {
    const found = await attempt(service, what, signal, ask);
    return found.ok ? found.value : undefined;
  };
  const atPosition = async (countAt: (service: Service, chainTime: bigint) => Promise<number>) => {
    const position = await readPosition(db);
    return position && countAt(service, position.time);
  };
  const connections: GaugeOptions = {
    name: 'service_database_connections',
    help: 'Connections of this process to PostgreSQL, by state (busy, idle), and statements that wait for one (waiting).',
    label: 'state',
    read: () =>
      pool
        ? { busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }
        : {},
  };
  return [
    // Gauges are read in this order. The others wait for connections themselves, so this one comes first.
    ...(pool ? [connections] : []),
    {
      name: 'service_operations',
      help: 'Operations without a final result, by state (DRAFT, QUEUED, SUBMITTED, UNRESOLVED).',
      label: 'state',
      read: tried('counting operations', () => countOperations(service)),
    },
    {
      name: 'service_credential_queue',
      help: 'Credentials and revocations that wait to go on chain, by work (credential, revocation).',
      label: 'work',
      read: tried('counting credentials', async () => ({
        credential: await count(service, sql`verification_session where state = 'ISSUING'`),
        revocation: await count(service, sql`credential_revocation where state = 'REVOKING'`),
      })),
    },
    {
      name: 'service_passes_to_close',
      help: 'Live passes that their credential, verifier or circuit no longer supports, and that the service closes.',
      read: tried('counting passes to close', () => atPosition(countPassesToEnd)),
    },
    {
      name: 'service_holders_to_check',
      help: 'Wallets without a live pass whose token accounts of gated mints the keeper has not checked since.',
      read: tried('counting holders', () => atPosition(countHoldersToCheck)),
    },
    {
      name: 'service_events_waiting',
      help: 'Events that the receiver of webhooks has not accepted yet; 0 without a receiver.',
      read: tried('counting events', async () =>
        settings.events ? count(service, sql`event where delivered_at is null`) : 0,
      ),
    },
    {
      name: 'service_index_lag_seconds',
      help: 'Chain seconds by which the index is behind the finalized chain; NaN before its first reading and while the chain or the database does not respond.',
      read: tried('reading the index lag', async (limited) => {
        const [position, tip] = await Promise.all([readPosition(db), readChainTip(service, limited)]);
        return position && Number(tip.time - position.time);
      }),
    },
    {
      name: 'service_fee_payer_lamports',
      help: 'Lamports of the fee payer at confirmed; NaN while the chain does not respond.',
      read: tried('reading the fee payer’s balance', async () => Number(await readFeePayerBalance(service))),
    },
    {
      name: 'service_attention',
      help: 'Whether a person should look at a part (credentials, feePayer, operations, passes): 1 or 0.',
      label: 'part',
      async read() {
        const found = await readAttention(service, signal);
        return Object.fromEntries(ATTENTION.map((part) => [part, found.includes(part) ? 1 : 0]));
      },
    },
    {
      name: 'service_clock_skew_seconds',
      help: 'Seconds by which the clock of this machine is ahead of the database’s.',
      read: () => service.databaseClock.skewMs() / 1_000,
    },
  ];
}

async function countOperations({ db }: Service): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('operation')
    .select(['state', (operation) => operation.fn.countAll().as('count')])
    // Each condition uses one of the partial indexes.
    .where((operation) =>
      operation.or([operation('state', '=', 'DRAFT'), operation('state', 'in', PENDING_STATES)]),
    )
    .groupBy('state')
    .execute();
  const counts = new Map(rows.map(({ state, count }) => [state, Number(count)]));
  return Object.fromEntries(OPEN_STATES.map((state) => [state, counts.get(state) ?? 0]));
}

/** Counts the rows of a table that meet a condition, such as `event where delivered_at is null`. */
async function count({ db }: Service, rows: ReturnType<typeof sql>): Promise<number> {
  const found = await sql<{ count: bigint }>`select count(*) from ${rows}`.execute(db);
  return Number(found.rows[0]?.count);
}
