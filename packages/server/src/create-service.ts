/** Assembles the service: its app, its background work and its listeners. */
import { setMaxListeners } from 'node:events';
import { UnreachableError } from '@service/configuration';
import type { RouteName } from '@service/contract';
import { createClientAddress, type Listener, listen, type OpenPort, serveOn } from '@service/process';
import type { Rpc, SolanaRpcApi, TransactionSigner } from '@solana/kit';
import type { Logger } from 'pino';
import { startIndexer } from './chain-index/indexer.ts';
import { claimDatabase, type Database } from './database/database.ts';
import { startEventDelivery } from './events/delivery/deliver.ts';
import { HANDLERS } from './handlers.ts';
import { createJobFailures } from './health/job-failures.ts';
import { createApp } from './http/app.ts';
import { originsOf } from './http/origins.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { defineRoute } from './http/routing/define-route.ts';
import { defineNotFound, type Pages } from './http/routing/not-found.ts';
import type { RouteHandler } from './http/routing/route-types.ts';
import type { HttpApp } from './http/routing/variables.ts';
import { startKeeper } from './keeper/index.ts';
import { type Background, startBackground } from './lib/background.ts';
import { createOutageLog } from './lib/outage-log.ts';
import { listenMetrics } from './metrics/listen-metrics.ts';
import { createMetrics } from './metrics/metrics.ts';
import { registerOpenApi } from './openapi/index.ts';
import { startWorker } from './operations/worker/worker.ts';
import { startPassCloser } from './pass-closer/index.ts';
import { registerArtifacts } from './reads/artifacts.ts';
import { createSharedReads } from './reads/shared-reads.ts';
import { watchRpc } from './rpc/watched-rpc.ts';
import type { Clock, Service } from './service.ts';
import type { Settings } from './settings.ts';
import { startSweeper } from './sweeper.ts';
import { startCredentialIssuer } from './verification/issuing/issuer.ts';
import { checkVerifiers } from './verification/verifiers.ts';

/** The parts that a service needs. */
export interface CreateServiceOptions {
  readonly settings: Settings;
  /** From openDatabase. The caller closes it, after the service. */
  readonly database: Database;
  readonly rpc: Rpc<SolanaRpcApi>;
  /** More RPCs that may resolve an UNRESOLVED operation. */
  readonly otherRpcs?: readonly Rpc<SolanaRpcApi>[];
  /** Pays for credentials on chain. */
  readonly feePayer: TransactionSigner;
  /** Serves pages of a dApp on the origin of the service. @default none: other paths are NOT_FOUND */
  readonly pages?: Pages;
  readonly log: Logger;
  /** @default the clock of the database */
  readonly clock?: Clock;
}

/** An assembled service. Nothing runs before start() and listen(). */
export interface CreatedService {
  readonly app: HttpApp;
  readonly service: Service;
  /**
   * Starts the clock, the worker, the indexer, the credential issuer, the pass closer, the keeper, the delivery of events and the sweeper.
   *
   * @throws ClusterMismatchError when an RPC is on another cluster than the settings say, UnreachableError when an RPC does
   * not respond within `timeoutMs`, DatabaseMismatchError when the database belongs to another program or cluster.
   */
  start(options?: { /** @default 10 seconds */ timeoutMs?: number }): Promise<void>;
  /**
   * Runs one step of all background work except the sweeper, in order. Tests with `pollIntervalMs: 'manual'` call it.
   */
  tick(): Promise<void>;
  /** Serves HTTP, on a port or on one that `openPort` opened before its origin was in the settings. */
  listen(
    where: { port: number; host?: string } | OpenPort,
  ): Promise<{ readonly port: number; readonly url: string }>;
  /** Serves `GET /metrics` for the operator on its own port. `port` 0 means any free port. Call it at most once. */
  listenMetrics(options: { port: number; host?: string }): Promise<{ readonly url: string }>;
  /**
   * Makes readiness fail, while everything else continues. Resolves after `ms`. A balancer that polls readiness then sends no
   * new requests, and close() refuses none.
   */
  drain(options: { ms: number }): Promise<void>;
  /**
   * Accepts no new connections and begins no new background steps. Resolves when nothing runs any more. Requests and steps
   * in progress may finish; those that take longer than `graceMs` are aborted.
   */
  close(options?: { /** @default 10 seconds */ graceMs?: number }): Promise<void>;
}

const START_TIMEOUT_MS = 10_000;
const CLOSE_GRACE_MS = 10_000;
/** The longest delay of a Node timer, 24.8 days. A longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** An RPC is on another cluster than the settings say. */
export class ClusterMismatchError extends Error {
  override readonly name = 'ClusterMismatchError';
}

/**
 * Assembles a service.
 *
 * @throws RangeError if `origin` or one of `otherOrigins` is not a valid origin, if two verifiers share a name or a secret, or if `pollIntervalMs` is out of a timer's range.
 */
export function createService(options: CreateServiceOptions): CreatedService {
  checkInterval(options.settings.pollIntervalMs);
  for (const origin of originsOf(options.settings)) checkOrigin(origin);
  checkVerifiers(options.settings);
  const ended = new AbortController();
  const draining = new AbortController();
  // Each step and each read that is in progress listens to it.
  setMaxListeners(0, ended.signal);
  const service = assemble(options, { draining: draining.signal, signal: ended.signal });
  const app = createApp(service.log, service.metrics.countRequest);
  for (const [name, handler] of Object.entries(HANDLERS))
    defineRoute(app, service, name as RouteName, handler as RouteHandler<RouteName>);
  registerArtifacts(app, service);
  registerOpenApi(app, service);
  defineNotFound(app, service, options.pages);
  const background: Background[] = [];
  let sweeper: Background | undefined;
  const listeners: Listener[] = [];

  return {
    app,
    service,
    async start({ timeoutMs = START_TIMEOUT_MS } = {}) {
      await checkClusters(service, timeoutMs);
      await claimDatabase(service.db, service.settings);
      background.push(...WORK.map((start) => start(service)));
      if (service.settings.events) background.push(startEventDelivery(service, service.settings.events));
      sweeper = startSweeper(service);
    },
    async tick() {
      for (const work of background) await work.tick();
    },
    async listen(where) {
      const listener = 'server' in where ? serveOn(where, app) : await listen(app, where);
      listeners.push(listener);
      return { port: listener.port, url: listener.url };
    },
    async listenMetrics(where) {
      const listener = await listenMetrics(service, options.database.pool, where);
      listeners.push(listener);
      return { url: listener.url };
    },
    async drain({ ms }) {
      draining.abort();
      await new Promise((resolve) => setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS)));
    },
    async close({ graceMs = CLOSE_GRACE_MS } = {}) {
      const grace = setTimeout(() => ended.abort(), Math.min(graceMs, LONGEST_TIMER_MS));
      const running = sweeper ? [sweeper, ...background.splice(0)] : [];
      await Promise.all([
        ...listeners.splice(0).map((listener) => listener.close(ended.signal)),
        ...running.map((work) => work.stop()),
      ]);
      clearTimeout(grace);
      ended.abort();
    },
  };
}

/** Milliseconds between two comparisons of the clock of this machine with the database's. */
const CLOCK_INTERVAL_MS = 5_000;

const startClock = (service: Service) =>
  startBackground(service, {
    name: 'clock',
    intervalMs: CLOCK_INTERVAL_MS,
    step: () => service.databaseClock.measure(),
  });

/** The background work, in the order of a tick. Events are delivered last. */
const WORK = [startClock, startIndexer, startWorker, startCredentialIssuer, startPassCloser, startKeeper];

/** Creates the parts that all of the service shares. */
function assemble(
  { settings, database, log, feePayer, ...options }: CreateServiceOptions,
  signals: Pick<Service, 'draining' | 'signal'>,
): Service {
  const { db, clock: databaseClock } = database;
  const metrics = createMetrics();
  const clock = options.clock ?? databaseClock;
  return {
    settings,
    db,
    databaseClock,
    clock,
    log,
    feePayer,
    metrics,
    rpc: watchRpc(options.rpc, metrics.countCall('main')),
    otherRpcs: (options.otherRpcs ?? []).map((rpc, index) =>
      watchRpc(rpc, metrics.countCall(`other ${index + 1}`)),
    ),
    outages: createOutageLog(log, clock),
    clientAddress: createClientAddress(settings.trustedProxies ?? []),
    limits: createRateLimits(database, metrics.countRateLimited),
    shared: createSharedReads({ clock, signal: signals.signal, settings }),
    closing: new Map(),
    failures: createJobFailures(clock),
    ...signals,
  };
}

function checkInterval(pollIntervalMs: Settings['pollIntervalMs']): void {
  if (pollIntervalMs === 'manual' || (pollIntervalMs >= 1 && pollIntervalMs <= LONGEST_TIMER_MS)) return;
  throw new RangeError(
    `pollIntervalMs is ${pollIntervalMs}. Set it to 1 to ${LONGEST_TIMER_MS}, or to 'manual'.`,
  );
}

function checkOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return;
  throw new RangeError(
    `${origin} is not an origin. Set a full origin without a path, such as https://app.example.`,
  );
}

async function checkClusters({ rpc, otherRpcs, settings }: Service, timeoutMs: number): Promise<void> {
  const abortSignal = AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMER_MS));
  const late = new Error(`no response within ${timeoutMs / 1_000} s`);
  const check = async (each: Service['rpc'], index: number) => {
    const found = await each
      .getGenesisHash()
      .send({ abortSignal })
      .catch((error: unknown) => {
        const which = index === 0 ? 'The RPC' : `RPC number ${index} of the other RPCs`;
        throw new UnreachableError(which, abortSignal.aborted ? late : error);
      });
    if (found !== settings.genesisHash) {
      throw new ClusterMismatchError(
        `An RPC is on another cluster: its genesis hash is ${found}, but the settings have ${settings.genesisHash}. Correct the RPC URL or GENESIS_HASH.`,
      );
    }
  };
  await Promise.all([rpc, ...otherRpcs].map(check));
}
