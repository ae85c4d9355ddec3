/** The parts of a service that the index and the reads need. */
import { type Kysely, sql } from 'kysely';
import pino from 'pino';
import type { Schema } from '../../../src/database/schema.ts';
import { createMetrics } from '../../../src/metrics/index.ts';
import type { Service } from '../../../src/service.ts';
import type { StillClock, TestChain } from './chain.ts';

/** Creates a service for the index and the reads. It has only the parts that they use. */
export function indexService(
  chain: TestChain,
  options: { clock: StillClock; db: Kysely<Schema>; rpc?: unknown },
): Service {
  return {
    settings: {
      origin: 'http://localhost:3000',
      program: chain.program,
      genesisHash: chain.net.genesisHash,
      publicRpcUrl: 'http://localhost:8899/',
      artifacts: { manifest: chain.artifacts.manifest, digest: chain.artifacts.digest },
      maxIndexLagSeconds: 30,
      pollIntervalMs: 'manual',
    },
    db: options.db,
    rpc: options.rpc ?? chain.net.rpc,
    clock: options.clock,
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    signal: new AbortController().signal,
  } as unknown as Service;
}

/** Empties the index. This is faster than opening a new database. */
export async function emptyIndex(db: Kysely<Schema>): Promise<void> {
  await sql`truncate indexed_account, indexed_signature, index_position`.execute(db);
}
