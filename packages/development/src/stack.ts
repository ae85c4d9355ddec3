/** The development stack in one process: the program on a local chain or a remote cluster, the service, the sandbox verifier. */
import { createHash } from 'node:crypto';
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { manifestRecord, ROUTES } from '@service/contract';
import type { OpenDatabaseOptions } from '@service/database';
import { databaseImage } from '@service/database/image';
import { circuitOf, DeployError, deployProtocol } from '@service/deploy';
import { type OpenPort, openPort } from '@service/process';
import { readProgram } from '@service/program';
import {
  createService,
  type Database,
  type EventReceiver,
  MIGRATIONS,
  openDatabase,
  openRpc,
  type Pages,
} from '@service/server';
import { recordsInFolder, startSandboxVerifier } from '@service/verifier';
import type { KeyPairSigner } from '@solana/kit';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import type { Cluster } from './cluster/cluster.ts';
import { ClusterError } from './cluster/cluster-error.ts';
import { startLocalCluster } from './cluster/local-cluster.ts';
import { connectCluster } from './cluster/remote-cluster.ts';
import { type DataFolder, DataFolderError, openDataFolder } from './data-folder/data-folder.ts';
import { FINALITY_SLOTS, SLOT_MS } from './defaults.ts';
import type { Deployment } from './deployment.ts';
import { createDevelopmentPages } from './pages/pages.ts';
import { personKeyOf } from './person-key.ts';
import { type VerifierVariables, verifierOrigin, verifierVariables } from './verifier-variables.ts';

/** Options of a stack. */
export interface StackOptions {
  /** Ports on loopback; 0 takes a free one. `rpc` is the port of the local chain. */
  ports: { site: number; rpc: number; verifier: number };
  /** RPC of a cluster with a faucet that takes the place of the local chain. @default a local chain */
  rpcUrl?: string | undefined;
  /** Origin of the site behind a proxy, such as a page's dev server. @default the origin of the site's port */
  origin?: string;
  /** Milliseconds per slot of the local chain. @default 200 */
  slotMs?: number | undefined;
  /** Slots until finality of the local chain. @default 8 */
  finalitySlots?: number | undefined;
  /** Milliseconds between two polls of the worker and of the indexer. */
  pollIntervalMs: number;
  log: Logger;
  /** The program to deploy. `<file>.sha256` must contain its digest. @default the committed program */
  programFile?: string;
  /** Folder of the proof artifacts. @default the committed artifacts */
  artifactsFolder?: string;
  /** Folder that keeps the chain, the database and the verifier's sessions over a restart. @default in memory */
  dataDirectory?: string | undefined;
  /** The service's database. @default in dataDirectory, or in memory */
  database?: OpenDatabaseOptions;
  /**
   * Folder of a built dApp to serve at the site's `/`, with its `index.html`. It may appear later.
   * @default no pages except deployment.json
   */
  pagesDirectory?: string | undefined;
  /** Who gets events. @default nobody */
  events?: EventReceiver | undefined;
  /** Whether to start the sandbox verifier. Without it, the service expects another one at its port. @default true */
  verifier?: boolean;
  /** Sends the sandbox verifier's webhooks. @default the global fetch */
  webhookFetch?: typeof fetch;
  /** Called with a line for each step of the start. */
  onStep?: (line: string) => void;
  signal?: AbortSignal;
}

/** A running stack. */
export interface Stack {
  readonly deployment: Deployment;
  /** For tests of governance. Anyone can make the keys of a local chain. */
  readonly keys: { readonly governance: KeyPairSigner; readonly payer: KeyPairSigner };
  /** What a verifier at the verifier's port needs, if the stack has none of its own. It contains keys. */
  readonly verifierVariables: VerifierVariables | undefined;
  /** Moves the time of the local chain forward, in seconds. For tests of expiry and renewal. */
  skipTime(seconds: bigint): void;
  close(): Promise<void>;
}

/** Lamports per prove in development. */
const PASS_FEE = 50_000n;
/** A public faucet gives 1 SOL at a time. A deployment costs a little more. */
const MOST_PAYER_REQUESTS = 2;
/** With less, the fee payer cannot pay for many credentials. */
const LEAST_FEE_PAYER_LAMPORTS = 50_000_000n;
/** The Standard Webhooks secret of service and verifier. */
const WEBHOOK_SECRET = `whsec_${createHash('sha256').update('rule-set-pass-service/development/webhook').digest('base64')}`;

type Closers = (() => Promise<void>)[];
type Artifacts = Awaited<ReturnType<typeof readArtifacts>>;

/**
 * Starts the stack. Resolves when the site responds. If a part fails, closes the others and throws its error.
 *
 * @throws ClusterError when the remote cluster cannot be used; DataFolderError; DeployError
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { onStep = () => undefined, ports } = options;
  const closers: Closers = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const [so, artifacts] = await Promise.all([
      readProgram(options.programFile),
      readArtifacts(options.artifactsFolder ?? artifactsDirectory),
    ]);
    const kind = options.rpcUrl === undefined ? 'local' : 'remote';
    const folder =
      options.dataDirectory === undefined ? null : await openDataFolder(options.dataDirectory, kind);
    if (folder) closers.push(() => folder.unlock());
    const cluster = await openCluster(options, folder);
    closers.push(() => cluster.close());
    const { keys, rpcUrl } = cluster;
    // A new PGlite folder takes seconds, so the database opens while the program is deployed.
    const opening = databaseOf(options, folder).then(openDatabase);
    // The deployment may fail while nothing waits for it yet.
    const opened = opening.catch(() => null);
    closers.push(async () => (await opened)?.close());
    onStep('deploying the program, opening the database');
    await setUpChain(options, cluster, { so, artifacts });

    // With port 0, the origins are known only when the ports are open.
    const sitePort = await openPort({ port: ports.site });
    closers.push(async () => void sitePort.server.close());
    const site = `http://localhost:${sitePort.port}`;
    const baseUrl = options.origin ?? site;
    const verifierUrl =
      options.verifier === false
        ? verifierOrigin(ports.verifier)
        : await startVerifier(options, closers, { cluster, folder, baseUrl });

    onStep('waiting for the database');
    const database = await opening;
    onStep('starting the worker and the indexer');
    let deployment: Deployment | null = null;
    const pages = createDevelopmentPages({
      directory: options.pagesDirectory,
      sandbox: options.verifier !== false,
      deployment: () => deployment,
    });
    await startSite(options, closers, {
      site: { port: sitePort, url: site },
      cluster,
      verifierUrl,
      artifacts,
      database,
      pages,
    });
    onStep(options.origin ? `service at ${site}, for pages of ${baseUrl}` : `service at ${site}`);
    deployment = {
      program: keys.program.address,
      genesisHash: cluster.genesisHash,
      artifactsDigest: artifacts.digest,
      acceptedSetups: [artifacts.manifest.setup.kind],
      rpcUrl,
      verifierOrigins: [verifierUrl],
      baseUrl,
    };

    return {
      deployment,
      keys: { governance: keys.governance, payer: keys.payer },
      verifierVariables:
        options.verifier === false
          ? await verifierVariables(cluster, {
              port: ports.verifier,
              baseUrl,
              webhookSecret: WEBHOOK_SECRET,
            })
          : undefined,
      skipTime: (seconds) => cluster.skipTime?.(seconds),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the sandbox verifier. Returns its URL. */
async function startVerifier(
  options: StackOptions,
  closers: Closers,
  { cluster, folder, baseUrl }: { cluster: Cluster; folder: DataFolder | null; baseUrl: string },
): Promise<string> {
  const { keys, genesisHash } = cluster;
  const verifier = await startSandboxVerifier({
    authority: keys.verifier.keyPair,
    program: keys.program.address,
    genesisHash,
    siteOrigins: [baseUrl],
    webhookUrl: `${baseUrl}${ROUTES.webhook.path}`,
    webhookSecret: WEBHOOK_SECRET,
    personKey: await personKeyOf(keys.verifier),
    log: options.log,
    port: await openPort({ port: options.ports.verifier }),
    ...(folder ? { database: { directory: folder.verifier }, records: recordsInFolder(folder.checks) } : {}),
    ...(options.webhookFetch ? { fetch: options.webhookFetch } : {}),
  });
  closers.push(() => verifier.close());
  options.onStep?.(`sandbox verifier at ${verifier.url}`);
  return verifier.url;
}

/** Returns the name of the verifier on chain, as people see it. */
function verifierName({ verifier = true }: StackOptions): string {
  return verifier ? 'Sandbox verifier' : 'Verifier';
}

async function databaseOf(
  { database }: StackOptions,
  folder: DataFolder | null,
): Promise<OpenDatabaseOptions> {
  if (database) return database;
  return folder ? { directory: folder.database } : { memory: true, image: await databaseImage(MIGRATIONS) };
}

async function openCluster(options: StackOptions, folder: DataFolder | null): Promise<Cluster> {
  const { rpcUrl: url, ports, onStep = () => undefined, signal } = options;
  if (url !== undefined) {
    const cluster = await connectCluster({ url, folder, signal });
    onStep(`cluster ${cluster.genesisHash}`);
    return cluster;
  }
  const { slotMs = SLOT_MS, finalitySlots = FINALITY_SLOTS } = options;
  const cluster = await startLocalCluster({ port: ports.rpc, slotMs, finalitySlots, folder });
  onStep(`local chain at ${cluster.rpcUrl}: ${slotMs} ms per slot, finality after ${finalitySlots} slots`);
  if (folder) onStep(`the chain in ${options.dataDirectory} is at slot ${cluster.slot}`);
  return cluster;
}

/** Deploys the protocol, unless the cluster has it already, and gives the keys SOL if they need it. */
async function setUpChain(
  options: StackOptions,
  cluster: Cluster,
  { so, artifacts }: { so: Uint8Array; artifacts: Artifacts },
): Promise<void> {
  const { dataDirectory, onStep = () => undefined, signal } = options;
  const { keys, genesisHash, rpc } = cluster;
  const deploy = () =>
    deployProtocol({
      rpc,
      genesisHash,
      so,
      keys,
      circuit: circuitOf(artifacts),
      verifier: { authority: keys.verifier.address, name: verifierName(options) },
      passFee: PASS_FEE,
      onStep,
      ...(signal ? { signal } : {}),
    });
  const fund = async (role: 'payer' | 'feePayer') => {
    await cluster.fund(keys[role].address);
    onStep(`${role === 'payer' ? 'payer' : 'fee payer'} ${keys[role].address} has SOL from the faucet`);
  };
  try {
    // The deployment sends nothing before the payer has enough.
    for (let requests = 0; !(await deploysWithEnough(deploy, requests)); requests += 1) await fund('payer');
  } catch (error) {
    throw setUpError(error, dataDirectory);
  }
  const config = { commitment: 'confirmed' } as const;
  const { value: left } = await rpc
    .getBalance(keys.feePayer.address, config)
    .send(signal ? { abortSignal: signal } : {});
  if (left < LEAST_FEE_PAYER_LAMPORTS) await fund('feePayer');
}

/** Deploys. Returns false if the payer has too little SOL, and the faucet may be asked again. */
async function deploysWithEnough(deploy: () => Promise<unknown>, requests: number): Promise<boolean> {
  try {
    await deploy();
    return true;
  } catch (error) {
    if (codeOf(error) !== 'NOT_ENOUGH_SOL' || requests === MOST_PAYER_REQUESTS) throw error;
    return false;
  }
}

function codeOf(error: unknown) {
  return error instanceof DeployError ? error.code : null;
}

function setUpError(error: unknown, dataDirectory: string | undefined): unknown {
  const code = codeOf(error);
  if (code === 'NOT_ENOUGH_SOL') return new ClusterError(code, (error as DeployError).message, error);
  // A new chain never differs: the folder was made with another program or other artifacts.
  if (code !== 'STATE_DIFFERS') return error;
  return new DataFolderError(
    `${dataDirectory} contains another program or circuit than this checkout. Remove the folder, or name another with --data-dir. (${(error as DeployError).message})`,
    { cause: error },
  );
}

/** Starts the service. */
async function startSite(
  options: StackOptions,
  closers: Closers,
  parts: {
    site: { readonly port: OpenPort; readonly url: string };
    cluster: Cluster;
    verifierUrl: string;
    artifacts: Artifacts;
    database: Database;
    pages: Pages;
  },
): Promise<void> {
  const { cluster, verifierUrl, artifacts, database, pages } = parts;
  const { rpcUrl, keys, genesisHash, maxIndexLagSeconds } = cluster;
  const site = createService({
    settings: {
      origin: options.origin ?? parts.site.url,
      program: keys.program.address,
      genesisHash,
      publicRpcUrl: rpcUrl,
      artifacts: {
        directory: options.artifactsFolder ?? artifactsDirectory,
        manifest: z.parse(manifestRecord, artifacts.manifest),
        digest: artifacts.digest,
      },
      verifier: { name: verifierName(options), url: verifierUrl, webhookSecret: WEBHOOK_SECRET },
      events: options.events,
      maxIndexLagSeconds,
      pollIntervalMs: options.pollIntervalMs,
    },
    database,
    rpc: openRpc(rpcUrl),
    feePayer: keys.feePayer,
    pages,
    log: options.log,
  });
  closers.push(() => site.close());
  await site.start();
  await site.listen(parts.site.port);
}
