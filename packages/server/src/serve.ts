/** A whole server from its configuration. */
import { readArtifacts } from '@service/circuit';
import { manifestRecord } from '@service/contract';
import { createSolanaRpc } from '@solana/kit';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import type { Configuration } from './configuration/read-configuration.ts';
import { ConfigurationError } from './configuration/read-variables.ts';
import { createService } from './create-service.ts';
import { openDatabase } from './database/open.ts';
import { isUnavailable } from './http/failures/unavailable.ts';
import { portTaken } from './http/port-taken.ts';
import { UnreachableError } from './lib/unreachable.ts';
import { warnOfLowBalance } from './verification/index.ts';

/** A server that takes requests. */
export interface Server {
  readonly url: string;
  /** Where metrics are; null when they are not served. */
  readonly metricsUrl: string | null;
  /** Finishes what is under way, then closes the database. */
  close(): Promise<void>;
}

/**
 * Starts a server; resolves when it listens. What was opened is closed again when it cannot start.
 *
 * @throws ConfigurationError for proof artifacts that cannot be read or are of another digest, ClusterMismatchError for an
 * RPC of another cluster, DatabaseMismatchError for a database of another program or cluster, UnreachableError for an RPC or
 * a database that does not answer, DatabaseLockedError, and what files and database throw.
 */
export async function serve(configuration: Configuration, log: Logger): Promise<Server> {
  const { listen, graceMs, startMs } = configuration;
  const artifacts = await readPinnedArtifacts(configuration);
  const database = await openDatabase(configuration.database).catch((error: unknown) => {
    throw isUnavailable(error) ? new UnreachableError('The database', error) : error;
  });
  const site = createService({
    settings: {
      origin: configuration.origin,
      program: configuration.program,
      genesisHash: configuration.genesisHash,
      publicRpcUrl: configuration.publicRpcUrl,
      artifacts,
      verifier: configuration.verifier,
      trustedProxies: configuration.trustedProxies,
      maxIndexLagSeconds: configuration.maxIndexLagSeconds,
      pollIntervalMs: configuration.pollIntervalMs,
    },
    database,
    rpc: createSolanaRpc(configuration.rpcUrl),
    otherRpcs: configuration.otherRpcUrls.map((url) => createSolanaRpc(url)),
    feePayer: configuration.feePayer,
    log,
  });
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
    return { url, metricsUrl: metrics && `${metrics.url}/metrics`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Tells a port that is taken by the variable that sets it. */
function namePort(variable: 'PORT' | 'METRICS_PORT') {
  return (error: unknown): never => {
    const line = portTaken(error, () => `set ${variable} to another`);
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
      `${directory} holds artifacts of the digest ${found.digest}. Expected ${digest}, which the deployment pins.`,
    );
  }
  return { directory, digest, manifest: z.parse(manifestRecord, found.manifest) };
}
