/** The development stack in one process: a local chain with the program, the service, the sandbox verifier. */
import { createHash } from 'node:crypto';
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { manifestRecord } from '@service/contract';
import { circuitOf, DeployError, deployProtocol, readProgram } from '@service/deploy';
import { type DevelopmentKeys, developmentKeys, Localnet } from '@service/localnet';
import { createService, type Database, type OpenDatabaseOptions, openDatabase } from '@service/server';
import { type Address, createSolanaRpc, type KeyPairSigner } from '@solana/kit';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { DataFolderError, openDataFolder } from './data-folder.ts';
import { createSandboxVerifier } from './sandbox-verifier/index.ts';

/** Options of a stack. */
export interface StackOptions {
  /** Ports on loopback; 0 takes a free one. */
  ports: { site: number; rpc: number; verifier: number };
  /** Origin of the site behind a proxy, such as a page's dev server. @default the origin of the site's port */
  origin?: string;
  /** Milliseconds per slot. */
  slotMs: number;
  /** Slots until finality. */
  finalitySlots: number;
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
  /** Sends the sandbox verifier's webhooks. @default the global fetch */
  webhookFetch?: typeof fetch;
  /** Called with a line for each step of the start. */
  onStep?: (line: string) => void;
  signal?: AbortSignal;
}

/** The values that a client pins: the content of deployment.json. */
export interface Deployment {
  readonly program: Address;
  readonly genesisHash: string;
  readonly artifactsDigest: string;
  readonly rpcUrl: string;
  readonly verifierOrigins: readonly string[];
  /** Origin of the site. */
  readonly baseUrl: string;
}

/** A running stack. */
export interface Stack {
  readonly deployment: Deployment;
  /** Public keys without value, for tests of governance. */
  readonly keys: { readonly governance: KeyPairSigner; readonly payer: KeyPairSigner };
  close(): Promise<void>;
}

/** Lamports per prove in development. */
const PASS_FEE = 50_000n;
/** Seconds by which the index may be behind: several times the time to finality of this chain. */
const MAX_INDEX_LAG_SECONDS = 30;
const START_LAMPORTS = 100_000_000_000n;
/** The Standard Webhooks secret of service and sandbox verifier. */
const WEBHOOK_SECRET = `whsec_${createHash('sha256').update('rule-set-pass-service/development/webhook').digest('base64')}`;

type Closers = (() => Promise<void>)[];
type Artifacts = Awaited<ReturnType<typeof readArtifacts>>;

/** Starts the stack. Resolves when the site responds. If a part fails, closes the others and throws its error. */
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
    const keys = await developmentKeys();
    const folder = options.dataDirectory === undefined ? null : await openDataFolder(options.dataDirectory);
    if (folder) closers.push(() => folder.unlock());
    const { slotMs, finalitySlots } = options;
    const net = Localnet.start({ slotMs, finalitySlots, journal: folder?.chain });
    closers.push(() => net.stop());
    const { url: rpcUrl } = await net.listen({ port: ports.rpc });
    // A new PGlite folder takes seconds, so the database opens while the program is deployed.
    const opening = openDatabase(
      options.database ?? (folder ? { directory: folder.database } : { memory: true }),
    );
    closers.push(async () => (await opening.catch(() => null))?.close());
    onStep('starting the local chain, deploying the program, opening the database');
    onStep(`local chain at ${rpcUrl}: ${slotMs} ms per slot, finality after ${finalitySlots} slots`);
    if (options.dataDirectory) onStep(`the chain in ${options.dataDirectory} is at slot ${net.slot}`);
    await setUpChain(options, net, { keys, so, artifacts });

    const verifier = await createSandboxVerifier({
      authority: keys.verifier,
      webhookSecret: WEBHOOK_SECRET,
      log: options.log,
      ...(folder ? { sessionsFile: folder.sessions } : {}),
      ...(options.webhookFetch ? { fetch: options.webhookFetch } : {}),
    }).listen({ port: ports.verifier });
    closers.push(() => verifier.close());
    onStep(`sandbox verifier at ${verifier.url}`);

    onStep('waiting for the database');
    const database = await opening;
    onStep('starting the worker and the indexer');
    const site = await startSite(options, closers, {
      net,
      rpcUrl,
      verifierUrl: verifier.url,
      keys,
      artifacts,
      database,
    });
    const baseUrl = options.origin ?? site;
    onStep(options.origin ? `service at ${site}, for pages of ${baseUrl}` : `service at ${site}`);

    return {
      deployment: {
        program: keys.program.address,
        genesisHash: net.genesisHash,
        artifactsDigest: artifacts.digest,
        rpcUrl,
        verifierOrigins: [verifier.url],
        baseUrl,
      },
      keys: { governance: keys.governance, payer: keys.payer },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Funds the keys and deploys the protocol, unless a kept chain has them already. */
async function setUpChain(
  { dataDirectory, onStep, signal }: StackOptions,
  net: Localnet,
  { keys, so, artifacts }: { keys: DevelopmentKeys; so: Uint8Array; artifacts: Artifacts },
): Promise<void> {
  for (const { address } of [keys.payer, keys.feePayer, keys.governance]) {
    const { value: balance } = await net.rpc.getBalance(address, { commitment: 'processed' }).send();
    if (balance === 0n) net.airdrop(address, START_LAMPORTS);
  }
  await deployProtocol({
    rpc: net.rpc,
    genesisHash: net.genesisHash,
    so,
    keys,
    circuit: circuitOf(artifacts),
    verifier: { authority: keys.verifier.address, name: 'Sandbox verifier' },
    passFee: PASS_FEE,
    ...(onStep ? { onStep } : {}),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    // A new chain never differs: the folder was made with another program or other artifacts.
    if (!(error instanceof DeployError) || error.code !== 'STATE_DIFFERS') throw error;
    throw new DataFolderError(
      `${dataDirectory} contains another program or circuit than this checkout. Remove the folder, or name another with --data-dir. (${error.message})`,
      { cause: error },
    );
  });
}

/** Starts the service and returns its own URL. */
async function startSite(
  options: StackOptions,
  closers: Closers,
  parts: {
    net: Localnet;
    rpcUrl: string;
    verifierUrl: string;
    keys: DevelopmentKeys;
    artifacts: Artifacts;
    database: Database;
  },
): Promise<string> {
  const { net, rpcUrl, verifierUrl, keys, artifacts, database } = parts;
  const site = createService({
    settings: {
      // With port 0, the port is known only once the site listens.
      origin: options.origin ?? ((port) => `http://localhost:${port}`),
      program: keys.program.address,
      genesisHash: net.genesisHash,
      publicRpcUrl: rpcUrl,
      artifacts: {
        directory: options.artifactsFolder ?? artifactsDirectory,
        manifest: z.parse(manifestRecord, artifacts.manifest),
        digest: artifacts.digest,
      },
      verifier: { url: verifierUrl, webhookSecret: WEBHOOK_SECRET },
      maxIndexLagSeconds: MAX_INDEX_LAG_SECONDS,
      pollIntervalMs: options.pollIntervalMs,
    },
    database,
    rpc: createSolanaRpc(rpcUrl),
    feePayer: keys.feePayer,
    log: options.log,
  });
  closers.push(() => site.close());
  await site.start();
  const { port } = await site.listen({ port: options.ports.site });
  return `http://localhost:${port}`;
}
