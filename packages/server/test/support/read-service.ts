/** A whole service on a test chain, with manual steps, and accounts in its index that are not on the chain. */
import { randomBytes } from 'node:crypto';
import { artifactsDirectory } from '@service/circuit';
import { developmentKeys } from '@service/localnet';
import { Visitor, watchRefusals } from '@service/test-support/service';
import {
  type Address,
  getAddressDecoder,
  type KeyPairSigner,
  lamports,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import pino from 'pino';
import { accountEntry } from '../../src/chain-index/account-entry.ts';
import { startIndexer } from '../../src/chain-index/index.ts';
import { createService } from '../../src/create-service.ts';
import type { Database } from '../../src/database/open.ts';
import type { StillClock, TestChain } from './chain-index/chain.ts';

export const ORIGIN = 'http://localhost:3000';
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A service with test tools. */
export type TestService = Awaited<ReturnType<typeof testService>>;

/** Creates a service whose background work runs only when a test calls it. */
export async function testService(
  chain: TestChain,
  options: {
    clock: StillClock;
    database: Database;
    rpc?: unknown;
    /** @default a fee payer with 100 SOL */
    feePayer?: KeyPairSigner;
    verifierUrl?: string;
    /** @default that of the committed artifacts */
    artifactsDigest?: string;
    /** Returns the origin for a port, if the service listens. */
    origin?: (port: number) => string;
  },
) {
  const feePayer = options.feePayer ?? (await developmentKeys()).feePayer;
  if (!options.feePayer) chain.net.airdrop(feePayer.address, 100_000_000_000n);
  const log: string[] = [];
  const created = createService({
    settings: {
      origin: options.origin ?? ORIGIN,
      program: chain.program,
      genesisHash: chain.net.genesisHash,
      publicRpcUrl: 'http://localhost:8899/',
      artifacts: {
        directory: artifactsDirectory,
        manifest: chain.artifacts.manifest as never,
        digest: options.artifactsDigest ?? chain.artifacts.digest,
      },
      verifier: { url: options.verifierUrl ?? 'http://127.0.0.1:9', webhookSecret: WEBHOOK_SECRET },
      maxIndexLagSeconds: 30,
      sharedReadMs: 0,
      pollIntervalMs: 'manual',
    },
    database: options.database,
    rpc: (options.rpc ?? chain.net.rpc) as Rpc<SolanaRpcApi>,
    feePayer,
    clock: options.clock,
    log: pino({ level: 'debug' }, { write: (line: string) => void log.push(line) }),
  });
  watchRefusals(created.app);
  return {
    ...created,
    /** The log lines. */
    log,
    /** Finalizes what landed and indexes it. */
    async follow() {
      chain.net.finalize();
      await startIndexer(created.service).tick();
    },
    /** Signs in a wallet with SOL. */
    async visitor(signer?: KeyPairSigner) {
      const { origin } = created.service.settings;
      return new Visitor(created.app, signer ?? (await chain.wallet()), origin).signIn();
    },
    /** Adds accounts to the index, which keeps them until the next full reading. Returns their addresses. */
    async plant(...accounts: readonly Uint8Array[]): Promise<Address[]> {
      const entries = accounts.map((data) => {
        const account = {
          exists: true,
          address: randomAddress(),
          data,
          executable: false,
          lamports: lamports(1n),
          programAddress: chain.program,
          space: BigInt(data.length),
        } as const;
        const entry = accountEntry(chain.program, account, 1n);
        if (!entry) throw new Error('The data is not an account of the program.');
        return entry;
      });
      await created.service.db.insertInto('indexed_account').values(entries).execute();
      return entries.map(({ address }) => address);
    },
  };
}

/** Returns a random address. */
export const randomAddress = (): Address => getAddressDecoder().decode(randomBytes(32));
