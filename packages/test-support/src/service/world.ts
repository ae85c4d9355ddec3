/** A whole service in this process: the real program on a localnet, PGlite in memory, and clocks that the test moves. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { developmentKeys, Localnet } from '@service/localnet';
import { type CreatedService, type CreateServiceOptions, createService } from '@service/server';
import { openTestDatabase, type TestDatabase } from '@service/server/test-database';
import { generateKeyPairSigner, type Rpc, type SolanaRpcApi } from '@solana/kit';
import pino from 'pino';
import { type Cluster, deployTo } from './cluster.ts';
import { watchRefusals } from './refusal-watch.ts';
import { Visitor } from './visitor.ts';

export const ORIGIN = 'https://site.example';
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
/** The time at which a world's clocks begin, in Unix milliseconds. */
export const WORLD_START = Date.UTC(2026, 0, 15, 12);

/** A service on a cluster. Its `finalize` also lets the service index what is final. */
export interface World extends Cluster {
  readonly database: TestDatabase;
  readonly created: CreatedService;
  /** The service's clock, in Unix milliseconds. Set `ms` to move it. */
  readonly clock: { ms: number; now(): number };
  /** The log lines, each a JSON object. */
  readonly logged: string[];
  /** Starts another service on the same database and chain, like a second process. */
  another(
    options?: Partial<Pick<CreateServiceOptions, 'rpc' | 'otherRpcs' | 'database'>>,
  ): Promise<CreatedService>;
  /** Creates a wallet with SOL that is not signed in. */
  visitor(on?: CreatedService): Promise<Visitor>;
  close(): Promise<void>;
}

/** Starts a world. A transaction is final after four slots. Without `program` the chain is empty. */
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
  net.airdrop(keys.feePayer.address, 100_000_000_000n);
  if (program) await deployTo(net, keys, artifacts);
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
      // Five real slots of 400 ms take this long.
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
