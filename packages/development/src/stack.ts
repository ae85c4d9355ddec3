/** The development stack in one process: localnet with the program and governance, the service, the sandbox verifier. */
import { createHash } from 'node:crypto';
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { manifestRecord } from '@service/contract';
import { DeployError, deployProtocol, readProgram } from '@service/deploy';
import { developmentKeys, Localnet } from '@service/localnet';
import { createService, type OpenDatabaseOptions, openDatabase } from '@service/server';
import { type Address, createSolanaRpc, getBase16Encoder, type KeyPairSigner } from '@solana/kit';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { DataFolderError, openDataFolder } from './data-folder.ts';
import { createSandboxVerifier } from './sandbox-verifier/sandbox-verifier.ts';

/** Where the stack listens and how fast its slots pass. */
export interface StackOptions {
  /** Ports on loopback; 0 takes a free one. */
  ports: { site: number; rpc: number; verifier: number };
  /** Full origin of the site where a proxy stands before it, as a page's dev server. @default that of its own port */
  origin?: string;
  /** Milliseconds per slot. */
  slotMs: number;
  /** Slots until finality. */
  finalitySlots: number;
  /** Milliseconds between two looks of the worker and of the indexer at the chain. */
  pollIntervalMs: number;
  log: Logger;
  /** The program to deploy, with its digest beside it in a file that ends with .sha256. @default the committed one */
  programFile?: string;
  /** Folder of the proof artifacts. @default the committed one */
  artifactsFolder?: string;
  /** Folder that keeps chain, database and the verifier's sessions over a restart. @default in memory */
  dataDirectory?: string | undefined;
  /** Where the service keeps its tables. @default in dataDirectory, or in memory */
  database?: OpenDatabaseOptions;
  /** Carries the sandbox verifier's webhooks. @default the global fetch */
  webhookFetch?: typeof fetch;
  /** Called with each step of the start, as it is done or about to be. */
  onStep?: (step: string) => void;
  signal?: AbortSignal;
}

/** What a caller pins, as deployment.json holds it. */
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
  /** Keys that governance tests need; public, of no value. */
  readonly keys: { readonly governance: KeyPairSigner; readonly payer: KeyPairSigner };
  close(): Promise<void>;
}

/** Lamports per prove in development. */
const PASS_FEE = 50_000n;
/** Seconds by which the index may lag: several times what finality takes here. */
const MAX_INDEX_LAG_SECONDS = 30;
const START_FUNDS = 100_000_000_000n;

/** Starts the stack; resolves when the site answers. Throws what failed, after closing what had started. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { onStep = () => undefined, ports, log } = options;
  const closers: (() => Promise<void>)[] = [];
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
    const rpcListener = await net.listen({ port: ports.rpc });
    // A fresh PGlite takes seconds to make its tables: that goes on beside the deployment.
    const place = folder ? { directory: folder.database } : { memory: true };
    const opening = openDatabase(options.database ?? place);
    closers.push(async () => (await opening.catch(() => null))?.close());
    onStep('starting localnet and deploying the program; opening the database');
    onStep(`localnet at ${rpcListener.url}: ${slotMs} ms per slot, final after ${finalitySlots} slots`);
    if (options.dataDirectory) onStep(`slot ${net.slot} of the chain in ${options.dataDirectory}`);
    for (const { address } of [keys.payer, keys.feePayer, keys.governance]) {
      const { value: held } = await net.rpc.getBalance(address, { commitment: 'processed' }).send();
      if (held === 0n) net.airdrop(address, START_FUNDS);
    }
    await deployProtocol({
      rpc: net.rpc,
      genesisHash: net.genesisHash,
      so,
      keys,
      circuit: {
        id: artifacts.manifest.circuit,
        artifactsDigest: new Uint8Array(getBase16Encoder().encode(artifacts.digest)),
        verifyingKey: artifacts.key,
      },
      verifier: { authority: keys.verifier.address, name: 'Sandbox verifier' },
      passFee: PASS_FEE,
      onStep,
      ...(options.signal ? { signal: options.signal } : {}),
    }).catch((error: unknown) => {
      throw isOfAnother(error) ? anotherChain(options.dataDirectory, error) : error;
    });

    const webhookSecret = developmentWebhookSecret();
    const verifier = createSandboxVerifier({
      authority: keys.verifier,
      webhookSecret,
      log,
      ...(folder ? { sessionsFile: folder.sessions } : {}),
      ...(options.webhookFetch ? { fetch: options.webhookFetch } : {}),
    });
    const verifierListener = await verifier.listen({ port: ports.verifier });
    closers.push(() => verifierListener.close());
    onStep(`sandbox verifier at ${verifierListener.url}`);

    onStep('waiting for the database');
    const database = await opening;
    const site = createService({
      settings: {
        // The port may be known only once the site listens.
        origin: options.origin ?? ((port) => `http://localhost:${port}`),
        program: keys.program.address,
        genesisHash: net.genesisHash,
        publicRpcUrl: rpcListener.url,
        artifacts: {
          directory: options.artifactsFolder ?? artifactsDirectory,
          manifest: z.parse(manifestRecord, artifacts.manifest),
          digest: artifacts.digest,
        },
        verifier: { url: verifierListener.url, webhookSecret },
        maxIndexLagSeconds: MAX_INDEX_LAG_SECONDS,
        pollIntervalMs: options.pollIntervalMs,
      },
      database,
      rpc: createSolanaRpc(rpcListener.url),
      feePayer: keys.feePayer,
      log,
    });
    closers.push(() => site.close());
    onStep('starting worker and indexer');
    await site.start();
    const { port } = await site.listen({ port: ports.site });
    const own = `http://localhost:${port}`;
    const baseUrl = options.origin ?? own;
    onStep(options.origin ? `service at ${own}, for pages of ${baseUrl}` : `service at ${own}`);

    return {
      deployment: {
        program: keys.program.address,
        genesisHash: net.genesisHash,
        artifactsDigest: artifacts.digest,
        rpcUrl: rpcListener.url,
        verifierOrigins: [verifierListener.url],
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

function isOfAnother(error: unknown): error is DeployError {
  return error instanceof DeployError && error.code === 'STATE_DIFFERS';
}

/** What a new chain cannot meet: the folder's has another program, or a circuit of other artifacts. */
function anotherChain(directory: string | undefined, error: DeployError): DataFolderError {
  return new DataFolderError(
    `${directory} is of another program or circuit than is here: remove it, or name another --data-dir. (${error.message})`,
    { cause: error },
  );
}

/** The Standard Webhooks secret that service and sandbox verifier share in development. */
function developmentWebhookSecret(): string {
  return `whsec_${createHash('sha256').update('rule-set-pass-service/development/webhook').digest('base64')}`;
}
