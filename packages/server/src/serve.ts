/** Starts a whole server from its configuration. */
import { readArtifacts } from '@service/circuit';
import { ConfigurationError, UnreachableError } from '@service/configuration';
import { manifestRecord } from '@service/contract';
import { portTaken } from '@service/process';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import type { Configuration } from './configuration/read-configuration.ts';
import { createService } from './create-service.ts';
import { openDatabase } from './database/database.ts';
import { isUnavailable } from './lib/unavailable.ts';
import { createPages } from './pages/create-pages.ts';
import { openRpc } from './rpc/open-rpc.ts';
import { warnOfLowBalance } from './verification/issuing/fee-payer.ts';

/** A running server. */
export interface Server {
  readonly url: string;
  /** URL of the metrics; null when they are not served. */
  readonly metricsUrl: string | null;
  /** Makes readiness fail, and resolves after `drainMs` of the configuration. Everything else continues. */
  drain(): Promise<void>;
  /** Finishes the work in progress, then closes the database. */
  close(): Promise<void>;
}

/**
 * Starts a server and resolves when it listens. If it cannot start, it closes everything that it opened.
 *
 * @throws ConfigurationError if the proof artifacts cannot be read or have another digest, ClusterMismatchError if an RPC is
 * on another cluster, DatabaseMismatchError if the database belongs to another program or cluster, UnreachableError if an RPC
 * or the database does not respond, DatabaseLockedError, and errors of files and the database.
 */
export async function serve(configuration: Configuration, log: Logger): Promise<Server> {
  const { listen, pages, drainMs, graceMs, startMs } = configuration;
  const artifacts = await readPinnedArtifacts(configuration);
  const database = await openDatabase(configuration.database).catch((error: unknown) => {
    throw isUnavailable(error) ? new UnreachableError('The database', error) : error;
  });
  const site = createService({
    settings: { ...configuration.settings, artifacts },
    database,
    rpc: openRpc(configuration.rpcUrl),
    otherRpcs: configuration.otherRpcUrls.map(openRpc),
    feePayer: configuration.feePayer,
    ...(pages ? { pages: createPages({ ...pages, deployment: () => pages.deployment }) } : {}),
    log,
  });
  const drain = async () => {
    if (drainMs === 0) return;
    log.info({ seconds: drainMs / 1_000 }, 'draining');
    await site.drain({ ms: drainMs });
  };
  const close = async () => {
    await site.close({ graceMs });
    await database.close();
  };
  try {
    await site.start({ timeoutMs: startMs });
    await warnOfLowBalance(site.service);
    const { url } = await site.listen(listen).catch(namePort('PORT'));
    const metrics =
      configuration.metrics &&
      (await site.listenMetrics(configuration.metrics).catch(namePort('METRICS_PORT')));
    return { url, metricsUrl: metrics && `${metrics.url}/metrics`, drain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Names the variable to change when a port is taken. */
function namePort(variable: 'PORT' | 'METRICS_PORT') {
  return (error: unknown): never => {
    const line = portTaken(error, () => `set ${variable} to another port`);
    throw line === null ? error : new Error(`${variable}: ${line}.`, { cause: error });
  };
}

async function readPinnedArtifacts({ artifacts: { directory, digest } }: Configuration) {
  const fault = (what: string) => {
    const variable = 'ARTIFACTS_DIRECTORY';
    return new ConfigurationError([{ variable, line: `${variable}: ${what}` }]);
  };
  const found = await readArtifacts(directory).catch((error: Error) => {
    throw fault(error.message);
  });
  if (found.digest !== digest) {
    throw fault(
      `The artifacts in ${directory} have the digest ${found.digest}. Expected ${digest}, which the deployment pins.`,
    );
  }
  return { directory, digest, manifest: z.parse(manifestRecord, found.manifest) };
}
