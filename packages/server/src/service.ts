/** The parts that all of the service shares. They are built once at start and passed explicitly. */

import type { DatabaseClock } from '@service/database';
import type { ClientAddress } from '@service/process';
import type { Address, Rpc, SolanaRpcApi, TransactionSigner } from '@solana/kit';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Schema } from './database/schema.ts';
import type { JobFailures } from './health/job-failures.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { OutageLog } from './lib/outage-log.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { SharedReads } from './reads/shared-reads.ts';
import type { Settings } from './settings.ts';

/**
 * The service's clock, in Unix milliseconds: that of the database. Leases, and lifetimes of drafts, challenges and sessions,
 * use it. Tests move it.
 */
export interface Clock {
  now(): number;
}

/** Shared parts of the service. */
export interface Service {
  readonly settings: Settings;
  readonly db: Kysely<Schema>;
  readonly rpc: Rpc<SolanaRpcApi>;
  /** Further RPCs that may settle an UNRESOLVED operation. */
  readonly otherRpcs: readonly Rpc<SolanaRpcApi>[];
  readonly clock: Clock;
  /** Measures by how much the clock of this machine differs from the database's. */
  readonly databaseClock: DatabaseClock;
  readonly log: Logger;
  /** Logs outages of the RPC and the database once, instead of at each attempt. */
  readonly outages: OutageLog;
  /** Pays for credentials on chain. It cannot create any. */
  readonly feePayer: TransactionSigner;
  /** Returns the network address under which a request is counted. */
  readonly clientAddress: ClientAddress;
  /** Counts requests per address and per wallet. */
  readonly limits: RateLimits;
  /** Reads that all requests of a moment share. */
  readonly shared: SharedReads;
  /** Counters for the operator. */
  readonly metrics: Metrics;
  /** The attempts of this process to end passes, and when the next is due in Unix milliseconds, by their addresses. */
  readonly closing: Map<Address, { readonly count: number; readonly dueAt: number }>;
  /** The failures of this process's own jobs. */
  readonly failures: JobFailures;
  /** Aborts when the drain begins. From then on, this process is not ready. */
  readonly draining: AbortSignal;
  /** Ends background work when the service closes. */
  readonly signal: AbortSignal;
}
