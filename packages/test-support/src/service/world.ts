/** A whole service in this process for tests: localnet with held slots and the real program, PGlite in memory, clocks that are moved by hand. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { circuitOf, deployProtocol, readProgram } from '@service/deploy';
import { developmentKeys, Localnet } from '@service/localnet';
import { type CreatedService, type CreateServiceOptions, createService } from '@service/server';
import { openTestDatabase, type TestDatabase } from '@service/server/test-database';
import {
  type Address,
  generateKeyPairSigner,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import pino from 'pino';
import { watchRefusals } from './refusal-watch.ts';
import { Visitor } from './visitor.ts';

export const ORIGIN = 'https://site.example';
export const PASS_FEE = 50_000n;
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
/** Where a world's clocks begin, in Unix milliseconds. */
export const WORLD_START = Date.UTC(2026, 0, 15, 12);

/** The parts that tests reach for. */
export interface World {
  readonly net: Localnet;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly database: TestDatabase;
  readonly created: CreatedService;
  /** The service's clock, in Unix milliseconds: set it to move. */
  readonly clock: { ms: number; now(): number };
  readonly program: Address;
  readonly keys: Record<'governance' | 'verifier' | 'payer', KeyPairSigner>;
  /** Everything that was logged, one JSON object each. */
  readonly logged: string[];
  /** Another service on the same database and chain, as a second process would be. */
  another(
    options?: Partial<Pick<CreateServiceOptions, 'rpc' | 'otherRpcs' | 'database'>>,
  ): Promise<CreatedService>;
  /** A wallet with SOL that is not signed in yet. */
  visitor(on?: CreatedService): Promise<Visitor>;
  /** Lets slots pass until what has landed is final, and the index follow. */
  finalize(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a world. Slots pass only when told; finality is four slots behind. Without `program` the chain is empty. */
export async function startWorld({
  origin = ORIGIN,
  program = true,
  verifierUrl = 'https://verifier.example',
}: {
  origin?: string;
  program?: boolean;
  verifierUrl?: string;
} = {}): Promise<World> {
  const chainClock = { ms: WORLD_START };
  const net = Localnet.start({
    slotMs: 'manual',
    finalitySlots: 4,
    now: () => {
      chainClock.ms += 1;
      return chainClock.ms;
    },
  });
  const rpc = net.rpc as unknown as Rpc<SolanaRpcApi>;
  const [keys, artifacts] = await Promise.all([developmentKeys(), readArtifacts()]);
  for (const key of [keys.payer, keys.feePayer, keys.governance]) net.airdrop(key.address, 100_000_000_000n);
  if (program) {
    await whileSlotsPass(net, async () =>
      deployProtocol({
        rpc: net.rpc,
        genesisHash: net.genesisHash,
        so: await readProgram(),
        keys,
        circuit: circuitOf(artifacts),
        verifier: { authority: keys.verifier.address, name: 'Verifier' },
        passFee: PASS_FEE,
      }),
    );
  }
  const database = await openTestDatabase();
  const clock = {
    ms: WORLD_START,
    now() {
      return this.ms;
    },
  };
  const logged: string[] = [];
  const services: CreatedService[] = [];
  const another: World['another'] = async (options = {}) => {
    const service = createService({
      settings: {
        origin,
        program: keys.program.address,
        genesisHash: net.genesisHash,
        publicRpcUrl: 'https://rpc.example',
        artifacts: {
          directory: artifactsDirectory,
          manifest: artifacts.manifest as never,
          digest: artifacts.digest,
        },
        verifier: { url: verifierUrl, webhookSecret: WEBHOOK_SECRET },
        maxIndexLagSeconds: 60,
        sharedReadMs: 0,
        pollIntervalMs: 'manual',
      },
      database,
      rpc,
      feePayer: keys.feePayer,
      clock,
      log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
      ...options,
    });
    watchRefusals(service.app);
    await service.start();
    services.push(service);
    return service;
  };
  net.finalize();
  const created = await another();
  await created.tick();
  return {
    net,
    rpc,
    database,
    created,
    clock,
    program: keys.program.address,
    keys,
    logged,
    another,
    async visitor(on = created) {
      const signer = await generateKeyPairSigner();
      net.airdrop(signer.address, 10_000_000_000n);
      return new Visitor(on.app, signer, origin);
    },
    async finalize() {
      net.finalize();
      // Five slots of 400 ms: what real slots would have taken.
      clock.ms += 2_000;
      await created.tick();
    },
    async close() {
      for (const service of services) await service.close();
      await database.close();
      await net.stop();
    },
  };
}

/** Runs work that waits for confirmations, while slots pass by themselves. */
export async function whileSlotsPass<T>(net: Localnet, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => net.advanceSlots(1), 2);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
