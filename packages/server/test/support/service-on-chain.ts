/** A whole service on its own chain and database, with manual steps. Its RPC calls can be recorded and broken. */
import { randomBytes } from 'node:crypto';
import { artifactsDirectory } from '@service/circuit';
import { ROUTES } from '@service/contract';
import { developmentKeys } from '@service/localnet';
import { openPort } from '@service/process';
import { ORIGIN, Visitor, WEBHOOK_SECRET, watchRefusals } from '@service/server/test-service';
import { type SandboxVerifier, startSandboxVerifier } from '@service/verifier';
import {
  type Address,
  getAddressDecoder,
  type KeyPairSigner,
  type ReadonlyUint8Array,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import pino from 'pino';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { accountEntry } from '../../src/chain-index/accounts/account-entry.ts';
import { startIndexer } from '../../src/chain-index/indexer.ts';
import { createService } from '../../src/create-service.ts';
import type { Database } from '../../src/database/database.ts';
import type { VerifierSettings } from '../../src/settings.ts';
import { StillClock, startChain, type TestChain } from './chain.ts';
import { rpcAround } from './rpc-around.ts';
import { openTestDatabase } from './test-database.ts';

/** Options of a test service. */
export interface TestServiceOptions {
  clock: StillClock;
  database: Database;
  rpc?: Rpc<SolanaRpcApi>;
  /** @default a fee payer with 100 SOL */
  feePayer?: KeyPairSigner;
  verifierUrl?: string;
  /** @default none */
  otherVerifiers?: readonly VerifierSettings[];
  /** @default that of the committed artifacts */
  artifactsDigest?: string;
  /** @default that of the committed artifacts */
  manifest?: TestChain['artifacts']['manifest'];
  /** Milliseconds for which reads are shared. @default 0 */
  sharedReadMs?: number;
  /** @default the origin of the tests */
  origin?: string;
  /** @default none */
  otherOrigins?: readonly string[];
}

/** A service with test tools. */
export type TestService = Awaited<ReturnType<typeof testService>>;

/** Creates a service whose background work runs only when a test calls it. */
export async function testService(chain: TestChain, options: TestServiceOptions) {
  const { clock, database, rpc = chain.rpc, feePayer = (await developmentKeys()).feePayer } = options;
  if (!options.feePayer) chain.net.airdrop(feePayer.address, 100_000_000_000n);
  const log: string[] = [];
  const created = createService({
    settings: {
      origin: options.origin ?? ORIGIN,
      otherOrigins: options.otherOrigins,
      program: chain.program,
      genesisHash: chain.net.genesisHash,
      publicRpcUrl: 'http://localhost:8899/',
      artifacts: {
        directory: artifactsDirectory,
        manifest: (options.manifest ?? chain.artifacts.manifest) as never,
        digest: options.artifactsDigest ?? chain.artifacts.digest,
      },
      otherVerifiers: options.otherVerifiers,
      verifier: {
        name: 'main',
        url: options.verifierUrl ?? 'http://127.0.0.1:9',
        webhookSecret: WEBHOOK_SECRET,
      },
      maxIndexLagSeconds: 30,
      sharedReadMs: options.sharedReadMs ?? 0,
      pollIntervalMs: 'manual',
    },
    database,
    rpc,
    feePayer,
    clock,
    log: logTo(log),
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
    visitor: async () =>
      new Visitor(created.app, await chain.wallet(), created.service.settings.origin).signIn(),
    /** Adds accounts to the index, which keeps them until the next full reading. Returns their addresses. */
    async plant(...accounts: readonly ReadonlyUint8Array[]): Promise<Address[]> {
      const entries = accounts.map((bytes) => {
        const data = Buffer.from(bytes);
        const account = { address: randomAddress(), owner: chain.program, lamports: 1n, data };
        const entry = accountEntry(chain.program, account, 1n);
        if (!entry) throw new Error('The data is not an account of the program.');
        return entry;
      });
      await database.db.insertInto('indexed_account').values(entries).execute();
      return entries.map(({ address }) => address);
    },
  };
}

/** Functions that run around each RPC call. If one throws, the connection breaks there. */
export interface AroundCalls {
  before: (method: string) => unknown;
  /** Returns the response, which it may change. */
  after: (method: string, response: unknown, params: readonly unknown[]) => unknown;
  /** The methods that were called. */
  calls: string[];
}

/**
 * Registers hooks that start a chain, a database and a service before the tests of a file and close them afterwards. The
 * returned parts exist when `beforeAll` has run. After each test, RPC calls work again.
 */
export function serviceOnChain({
  bare = false,
  withVerifier = false,
  options = async () => ({}),
}: {
  /** Leaves out the program. */
  bare?: boolean;
  /** Also starts a sandbox verifier, and lets the service listen. */
  withVerifier?: boolean;
  /** Returns other options of the service. */
  options?: (chain: TestChain) => Promise<Partial<TestServiceOptions>>;
} = {}) {
  const clock = new StillClock();
  const on = {
    clock,
    rpc: { calls: [] as string[] } as AroundCalls,
    chain: {} as TestChain,
    database: {} as Database,
    service: {} as TestService,
    verifier: {} as SandboxVerifier,
    verifierLog: [] as string[],
    /** The URL of the service, if it listens. */
    site: '',
    /** Creates another service on the same chain and database. */
    another: (other: Partial<TestServiceOptions> = {}) =>
      testService(on.chain, { clock, database: on.database, ...other }),
    session: (id: string) =>
      on.database.db
        .selectFrom('verification_session')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    /** Lets RPC calls work again. */
    recover(): void {
      on.rpc.before = () => undefined;
      on.rpc.after = (_method, response) => response;
    },
    /** Activates or deactivates the verifier on chain, and indexes it. */
    async setVerifier(active: boolean): Promise<void> {
      await on.chain.setVerifier(active);
      await on.service.follow();
    },
    /** Lets time pass on the chain, too. */
    pass(seconds: number): void {
      clock.pass(seconds);
      // A slot gets its time when it begins. Make a slot final that began now.
      on.chain.net.advanceSlots(3);
    },
  };
  on.recover();
  beforeAll(async () => {
    on.chain = await startChain({ clock, bare });
    on.database = await openTestDatabase();
    const rpc = rpcAround(on.chain.net, async (call, method, params) => {
      on.rpc.calls.push(method);
      await on.rpc.before(method);
      return on.rpc.after(method, await call(), params);
    });
    const open = withVerifier ? await openPort({ port: 0 }) : null;
    if (open) {
      on.verifier = await startSandboxVerifier({
        authority: on.chain.keys.verifier.keyPair,
        program: on.chain.program,
        genesisHash: on.chain.net.genesisHash,
        siteOrigins: [open.url, ORIGIN],
        webhookUrl: `${open.url}${ROUTES.webhook.path}`,
        webhookSecret: WEBHOOK_SECRET,
        personKey: new Uint8Array(32),
        clock,
        log: logTo(on.verifierLog),
      });
    }
    const listening = open && { verifierUrl: on.verifier.url, origin: open.url };
    on.service = await on.another({ rpc, ...listening, ...(await options(on.chain)) });
    if (open) on.site = (await on.service.listen(open)).url;
  });
  afterEach(() => {
    on.chain.net.resume();
    on.recover();
  });
  afterAll(async () => {
    if (withVerifier) await on.verifier.close();
    await on.service.close();
    await on.database.close();
    await on.chain.net.stop();
  });
  return on;
}

/** Returns a random address. */
export const randomAddress = (): Address => getAddressDecoder().decode(randomBytes(32));

const logTo = (lines: string[]) =>
  pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
