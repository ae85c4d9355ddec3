/** A whole service in this process: the real program on a localnet, PGlite in memory, and clocks that the test moves. */
import { artifactsDirectory, readArtifacts } from '@service/circuit';
import { developmentKeys, Localnet } from '@service/localnet';
import { fundedWallet } from '@service/localnet/test-support';
import type { Rpc, SolanaRpcApi } from '@solana/kit';
import pino from 'pino';
import { type CreatedService, type CreateServiceOptions, createService } from '../../../src/index.ts';
import { openTestDatabase, setRows } from '../test-database.ts';
import { type Cluster, deployTo } from './cluster.ts';
import { watchRefusals } from './refusal-watch.ts';
import { Visitor } from './visitor.ts';

export const ORIGIN = 'https://site.example';
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
/** The time at which a world's clocks begin, in Unix milliseconds. */
export const WORLD_START = Date.UTC(2026, 0, 15, 12);

/** Who gets events. */
type Events = CreateServiceOptions['settings']['events'];

/** A service on a cluster. */
export type World = Awaited<ReturnType<typeof startWorld>>;

/** Starts a world. Without `program` the chain is empty. */
export async function startWorld({
  origin = ORIGIN,
  otherOrigins,
  program = true,
  verifierUrl = 'https://verifier.example',
  events,
  journal,
  rows,
  finalitySlots = 4,
}: {
  origin?: string;
  otherOrigins?: readonly string[];
  program?: boolean;
  verifierUrl?: string;
  events?: Events;
  /** File that stores the chain. A world with a copy of the file continues the chain. */
  journal?: string;
  /** The rows of the database of the world that it continues, from `rowsOf`. */
  rows?: readonly string[];
  /** Slots after which a transaction is final. @default 4, so that tests are fast */
  finalitySlots?: number;
} = {}) {
  let chainMs = WORLD_START;
  const now = () => ++chainMs;
  const net = Localnet.start({ slotMs: 'manual', finalitySlots, now, journal });
  const rpc = net.rpc as unknown as Rpc<SolanaRpcApi>;
  const [keys, artifacts] = await Promise.all([developmentKeys(), readArtifacts()]);
  if (!rows) {
    net.airdrop(keys.feePayer.address, 100_000_000_000n);
    if (program) await deployTo(net, keys, artifacts);
  }
  const database = await openTestDatabase();
  if (rows) await setRows(database.db, rows);
  /** The service's clock, in Unix milliseconds. Set `ms` to move it. */
  const clock = {
    ms: WORLD_START,
    now() {
      return this.ms;
    },
  };
  /** The log lines, each a JSON object. */
  const logged: string[] = [];
  const services: CreatedService[] = [];
  /** Starts another service on the same database and chain, like a second process. */
  const another = async (
    options: Partial<Pick<CreateServiceOptions, 'rpc' | 'otherRpcs' | 'database' | 'pages'>> & {
      events?: Events;
    } = {},
  ) => {
    const { events: ownEvents = events, ...parts } = options;
    const service = createService({
      settings: {
        origin,
        otherOrigins,
        program: keys.program.address,
        genesisHash: net.genesisHash,
        publicRpcUrl: 'https://rpc.example',
        artifacts: {
          directory: artifactsDirectory,
          manifest: artifacts.manifest as never,
          digest: artifacts.digest,
        },
        verifier: { name: 'main', url: verifierUrl, webhookSecret: WEBHOOK_SECRET },
        events: ownEvents,
        maxIndexLagSeconds: 60,
        sharedReadMs: 0,
        pollIntervalMs: 'manual',
      },
      database,
      rpc,
      feePayer: keys.feePayer,
      clock,
      log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
      ...parts,
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
    /** Creates a wallet with SOL that is not signed in. */
    async visitor(on = created) {
      return new Visitor(on.app, await fundedWallet(net), origin);
    },
    /** Finalizes what has landed, and lets the service index it. */
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
  } satisfies Cluster & Record<string, unknown>;
}
