/** Reads the configuration of a server from environment variables. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  ConfigurationError,
  type Deployment,
  type Environment,
  type Fault,
  readDeployment,
  readVariables,
} from '@service/configuration';
import type { OpenDatabaseOptions } from '@service/database';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import type * as z from 'zod/mini';
import { pagesDirectory } from '../pages-directory.ts';
import type { Settings } from '../settings.ts';
import { checkVerifiers, type SeveralVerifiers } from '../verification/verifiers.ts';
import { eventFaults, eventsOf } from './events.ts';
import { serverVariables } from './variables.ts';

/** Everything that a server needs to start. Artifacts are read later; `serverVariables` describes the other values. */
export type Configuration = Awaited<ReturnType<typeof configurationOf>>;

/** The value of PAGES_DIRECTORY that serves no page. */
const NO_PAGES = 'none';

/** Values that a deployment pins. A variable with another value is an error. */
const PINNED = ['ORIGIN', 'PROGRAM', 'GENESIS_HASH', 'ARTIFACTS_DIGEST'];

/**
 * Reads the configuration and the files that it names.
 *
 * @throws ConfigurationError with one line for each variable that is wrong or missing.
 */
export async function readConfiguration(environment: Environment): Promise<Configuration> {
  const file = environment.DEPLOYMENT_FILE || undefined;
  const deployment = file === undefined ? undefined : readDeployment(file);
  const fromFile = deployment?.deployment ? variablesOf(deployment.deployment) : {};
  const given = Object.entries(environment).filter(([, text]) => text);
  // RPC_URL_FILE overrides the RPC_URL of the deployment file.
  const others = Object.entries(fromFile).filter(([name]) => !environment[`${name}_FILE`]);
  const { values, faults } = readVariables(serverVariables, Object.fromEntries([...others, ...given]));

  const problems: Fault[] = (deployment?.faults ?? []).map((line) => ({
    variable: 'DEPLOYMENT_FILE',
    line: `DEPLOYMENT_FILE: ${line}`,
  }));
  // Do not report values as missing that an unreadable deployment file may contain.
  const isInFile = (name: string) => problems.length > 0 && !environment[name] && name in FROM_FILE;
  problems.push(...faults.filter(({ variable }) => !isInFile(variable)));
  for (const name of PINNED) {
    const [own, other] = [environment[name] || undefined, fromFile[name]];
    const isReported = faults.some(({ variable }) => variable === name);
    if (own === undefined || other === undefined || own === other || isReported) continue;
    const line = `${name} is ${JSON.stringify(own)}, but ${file} says ${other}. Set the same value, or do not set ${name}.`;
    problems.push({ variable: name, line });
  }
  problems.push(...databaseFaults(values, faults), ...eventFaults(values, faults));
  problems.push(...verifierFaults(values, faults), ...pagesFaults(values));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return configurationOf(values as Variables, deployment?.deployment);
}

type Variables = z.infer<typeof serverVariables>;

/** The default of each variable when there is a deployment file. */
const FROM_FILE: Record<string, (deployment: Deployment) => string | undefined> = {
  ORIGIN: ({ baseUrl }) => baseUrl,
  PROGRAM: ({ program }) => program,
  GENESIS_HASH: ({ genesisHash }) => genesisHash,
  ARTIFACTS_DIGEST: ({ artifactsDigest }) => artifactsDigest,
  RPC_URL: ({ rpcUrl }) => rpcUrl,
  PUBLIC_RPC_URL: ({ rpcUrl }) => rpcUrl,
  VERIFIER_URL: ({ verifierOrigins: [only, ...more] }) => (more.length ? undefined : only),
};

function variablesOf(deployment: Deployment): Environment {
  return Object.fromEntries(Object.entries(FROM_FILE).map(([name, of]) => [name, of(deployment)]));
}

function databaseFaults(values: Partial<Variables>, faults: readonly Fault[]): Fault[] {
  const count = [values.DATABASE_URL, values.DATA_DIRECTORY].filter(Boolean).length;
  if (count === 1 || faults.some(({ variable }) => variable === 'DATABASE_URL')) return [];
  const line = `DATABASE_URL and DATA_DIRECTORY are ${count ? 'both' : 'not'} set. Expected exactly one of them.`;
  return [{ variable: 'DATABASE_URL', line }];
}

/** Returns a fault if two verifiers share a name or a secret. */
function verifierFaults(values: Partial<Variables>, faults: readonly Fault[]): Fault[] {
  if (faults.some(({ variable }) => /VERIFIER|WEBHOOK_SECRET/.test(variable))) return [];
  try {
    checkVerifiers(verifiersIn(values as Variables));
    return [];
  } catch (error) {
    return [{ variable: 'OTHER_VERIFIERS', line: `OTHER_VERIFIERS: ${(error as RangeError).message}` }];
  }
}

/** Returns a fault if a named folder has no page. The default folder may be missing in a checkout. */
function pagesFaults({ PAGES_DIRECTORY: folder }: Partial<Variables>): Fault[] {
  if (folder === undefined || folder === NO_PAGES || folder === pagesDirectory) return [];
  if (existsSync(join(folder, 'index.html'))) return [];
  const line = `PAGES_DIRECTORY is ${JSON.stringify(folder)}, which has no index.html. Expected the folder of a built page, or ${NO_PAGES}.`;
  return [{ variable: 'PAGES_DIRECTORY', line }];
}

function verifiersIn(values: Variables): SeveralVerifiers {
  return {
    verifier: {
      name: values.VERIFIER_NAME,
      url: values.VERIFIER_URL,
      webhookSecret: values.WEBHOOK_SECRET,
      previousWebhookSecret: values.PREVIOUS_WEBHOOK_SECRET,
    },
    otherVerifiers: values.OTHER_VERIFIERS,
  };
}

/**
 * Returns what the pages need. Null if there are none: a page must pin the whole deployment file. Its RPC is the one that clients
 * get, because the file can name another one, whose URL has a key.
 */
function pagesOf({ PAGES_DIRECTORY, ORIGIN, PUBLIC_RPC_URL }: Variables, deployment: Deployment | undefined) {
  if (!deployment || PAGES_DIRECTORY === NO_PAGES) return null;
  const pinned = { ...deployment, rpcUrl: PUBLIC_RPC_URL, baseUrl: ORIGIN };
  return { directory: resolve(PAGES_DIRECTORY), deployment: pinned };
}

async function configurationOf(values: Variables, deployment: Deployment | undefined) {
  const settings: Omit<Settings, 'artifacts'> = {
    origin: values.ORIGIN,
    otherOrigins: values.OTHER_ORIGINS,
    program: values.PROGRAM,
    genesisHash: values.GENESIS_HASH,
    publicRpcUrl: values.PUBLIC_RPC_URL,
    ...verifiersIn(values),
    events: eventsOf(values),
    trustedProxies: values.TRUSTED_PROXIES,
    maxIndexLagSeconds: values.MAX_INDEX_LAG_SECONDS,
    maxPriorityFeeLamports: BigInt(values.MAX_PRIORITY_FEE_LAMPORTS),
    welcome: {
      lamports: BigInt(values.WELCOME_LAMPORTS),
      dailyLamports: BigInt(values.WELCOME_DAILY_LAMPORTS),
    },
    keeper: { dailyLamports: BigInt(values.KEEPER_DAILY_LAMPORTS), mints: values.KEEPER_MINTS },
    pollIntervalMs: values.POLL_INTERVAL_MS,
  };
  const database: OpenDatabaseOptions = { url: values.DATABASE_URL, directory: values.DATA_DIRECTORY };
  return {
    settings,
    artifacts: { directory: resolve(values.ARTIFACTS_DIRECTORY), digest: values.ARTIFACTS_DIGEST },
    rpcUrl: values.RPC_URL,
    otherRpcUrls: values.OTHER_RPC_URLS,
    feePayer: await createKeyPairSignerFromBytes(values.FEE_PAYER),
    database,
    /** Null if there is no page. */
    pages: pagesOf(values, deployment),
    listen: { host: values.HOST, port: values.PORT },
    /** Null if metrics are not served. */
    metrics:
      values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    logLevel: values.LOG_LEVEL,
    startMs: values.START_SECONDS * 1_000,
    drainMs: values.DRAIN_SECONDS * 1_000,
    graceMs: values.SHUTDOWN_SECONDS * 1_000,
  };
}
