/** Assembles a verifier. */
import { type Listener, listen, type OpenPort, serveOn } from '@service/process';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type Background, startBackground } from './background.ts';
import { claimDatabase, type Database } from './database/database.ts';
import { type AddressOf, createApp } from './http/app.ts';
import type { AttestationKey, PersonKey } from './keys/keys.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { Provider } from './provider.ts';
import type { Settings, Verifier } from './verifier.ts';

/** Milliseconds between two runs of the background work. */
const POLL_MS = 1_000;
const REPORT_RETRY_MS = [500, 1_000, 2_000];

/** Options of a verifier. */
export interface CreateVerifierOptions {
  readonly settings: Settings;
  readonly database: Database;
  readonly provider: Provider;
  readonly attestationKey: AttestationKey;
  readonly personKey: PersonKey;
  readonly log: Logger;
  /** Unix milliseconds. @default the clock of the database */
  readonly clock?: { now(): number };
  /** Sends messages to services. @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds between two runs of the background work, or `manual`. @default 1000 */
  readonly pollIntervalMs?: number | 'manual';
  /** Milliseconds before each retry of a report, while the person waits. @default 500, 1000, 2000 */
  readonly reportRetryMs?: readonly number[];
  /** Returns the network address of a request. @default everybody has the same */
  readonly addressOf?: AddressOf;
}

/** A verifier, whose background work has started. Before `listen`, it responds only to `app`. */
export interface CreatedVerifier {
  readonly verifier: Verifier;
  readonly app: ReturnType<typeof createApp>;
  readonly background: Background;
  /** Listens on a port; 0 means any free port. Rejects if the port is taken. */
  listen(where: { port: number; host?: string } | OpenPort): Promise<Listener>;
  /** Finishes the work in progress. The caller closes the database. */
  close(): Promise<void>;
}

/**
 * Creates a verifier and starts its background work.
 *
 * @throws DatabaseMismatchError if the database belongs to another program, cluster or key
 */
export async function createVerifier(options: CreateVerifierOptions): Promise<CreatedVerifier> {
  const { database, settings, attestationKey } = options;
  const { program, genesisHash } = settings;
  await claimDatabase(database, { program, genesisHash, authority: attestationKey.address });
  let background: Background | null = null;
  const verifier: Verifier = {
    settings,
    db: database.db,
    clock: options.clock ?? database.clock,
    provider: options.provider,
    attestationKey,
    personKey: options.personKey,
    fetch: options.fetch ?? globalThis.fetch,
    reportRetryMs: options.reportRetryMs ?? REPORT_RETRY_MS,
    metrics: createMetrics(),
    log: options.log,
    wake: () => background?.wake(),
  };
  const isReady = async () => {
    try {
      await sql`select 1`.execute(database.db);
      return true;
    } catch {
      return false;
    }
  };
  const app = createApp(verifier, { addressOf: options.addressOf ?? (() => 'everybody'), isReady });
  background = startBackground(verifier, options.pollIntervalMs ?? POLL_MS);
  const listeners: Listener[] = [];
  return {
    verifier,
    app,
    background,
    async listen(where) {
      const listener = 'server' in where ? serveOn(where, app) : await listen(app, where);
      listeners.push(listener);
      return listener;
    },
    async close() {
      for (const listener of listeners) await listener.close(AbortSignal.timeout(5_000));
      await background.stop();
    },
  };
}
