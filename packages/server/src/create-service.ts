/** Puts the service together: its app, its background work, its listener. */
import { createAdaptorServer } from '@hono/node-server';
import type { Rpc, SolanaRpcApi, TransactionSigner } from '@solana/kit';
import type { Logger } from 'pino';
import { registerAuth, startAuthSweeper } from './auth/index.ts';
import type { Background } from './background.ts';
import { startIndexer } from './chain-index/index.ts';
import type { Database } from './database/open.ts';
import { registerHealth } from './health/index.ts';
import { createApp } from './http/app.ts';
import { createRateLimits } from './http/rate-limits.ts';
import type { HttpApp } from './http/variables.ts';
import { registerOpenApi } from './openapi/index.ts';
import { registerOperations, startDraftSweeper, startWorker } from './operations/index.ts';
import { createProofVerifier } from './operations/proof-verifier.ts';
import { registerReads } from './reads/index.ts';
import type { Clock, Service } from './service.ts';
import type { Settings } from './settings.ts';
import { registerVerification, startCredentialIssuer, startDeliverySweeper } from './verification/index.ts';

/** What a service is made of. */
export interface CreateServiceOptions {
  /** `origin` may be made of the port, for a service that listens on any free one; until it listens no POST is taken then. */
  readonly settings: Omit<Settings, 'origin'> & { readonly origin: string | ((port: number) => string) };
  /** From openDatabase; whoever opened it closes it, after the service. */
  readonly database: Database;
  readonly rpc: Rpc<SolanaRpcApi>;
  /** Further RPCs that may settle an UNRESOLVED operation. */
  readonly otherRpcs?: readonly Rpc<SolanaRpcApi>[];
  /** Pays for putting credentials on chain. */
  readonly feePayer: TransactionSigner;
  readonly log: Logger;
  /** @default the system's clock */
  readonly clock?: Clock;
}

/** A service that was put together; nothing runs before start() and listen(). */
export interface CreatedService {
  readonly app: HttpApp;
  readonly service: Service;
  /**
   * Starts the worker, the indexer, the credential issuer and the sweepers.
   *
   * @throws Error when the RPC is of another cluster than the settings say, and what the RPC throws.
   */
  start(): Promise<void>;
  /** Runs one step of all background work, in order; what tests with `pollIntervalMs: 'manual'` go by. */
  tick(): Promise<void>;
  /** Serves HTTP. `port` 0 takes a free one. */
  listen(options: { port: number; host?: string }): Promise<{ readonly port: number; readonly url: string }>;
  /** Stops listening and all background work; resolves when nothing runs any more. */
  close(): Promise<void>;
}

/** Puts a service together. */
export function createService(options: CreateServiceOptions): CreatedService {
  const ended = new AbortController();
  const { origin } = options.settings;
  const settings = { ...options.settings, origin: typeof origin === 'string' ? checkedOrigin(origin) : '' };
  const service: Service = {
    settings,
    db: options.database.db,
    rpc: options.rpc,
    otherRpcs: options.otherRpcs ?? [],
    clock: options.clock ?? Date,
    log: options.log,
    feePayer: options.feePayer,
    limits: createRateLimits(options.database),
    proofs: createProofVerifier(),
    signal: ended.signal,
  };
  const app = createApp(service.log);
  for (const register of [
    registerAuth,
    registerOperations,
    registerReads,
    registerVerification,
    registerHealth,
    registerOpenApi,
  ]) {
    register(app, service);
  }
  const background: Background[] = [];
  const closers: (() => Promise<void>)[] = [];

  return {
    app,
    service,
    async start() {
      await checkCluster(service);
      background.push(
        startIndexer(service),
        startWorker(service),
        startCredentialIssuer(service),
        startAuthSweeper(service),
        startDraftSweeper(service),
        startDeliverySweeper(service),
      );
    },
    async tick() {
      for (const work of background) await work.tick();
    },
    async listen(where) {
      const listener = await listen(app, where);
      closers.push(listener.close);
      if (typeof origin !== 'string') settings.origin = checkedOrigin(origin(listener.port));
      return { port: listener.port, url: listener.url };
    },
    async close() {
      ended.abort();
      await Promise.all(closers.splice(0).map((close) => close()));
      await Promise.all(background.splice(0).map((work) => work.stop()));
    },
  };
}

function checkedOrigin(origin: string): string {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new RangeError(
      `origin must be a full origin without a path, as in https://app.example; got ${origin}`,
    );
  }
  return origin;
}

async function checkCluster({ rpc, otherRpcs, settings }: Service): Promise<void> {
  for (const each of [rpc, ...otherRpcs]) {
    const found = await each.getGenesisHash().send({ abortSignal: AbortSignal.timeout(10_000) });
    if (found !== settings.genesisHash) {
      throw new Error(
        `An RPC is of another cluster: its genesis hash is ${found}, the settings say ${settings.genesisHash}.`,
      );
    }
  }
}

async function listen(app: HttpApp, { port, host = '127.0.0.1' }: { port: number; host?: string }) {
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    port: address.port,
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        // Connections that are kept open for a next request would hold the close up.
        if ('closeIdleConnections' in server) server.closeIdleConnections();
      }),
  };
}
