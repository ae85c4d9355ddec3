/** A process that crashes: after a number of statements and RPC calls, every call fails and no lease is released. */
import type { World } from '@service/test-support/service';
import { createSolanaRpcFromTransport, type Rpc, type RpcTransport, type SolanaRpcApi } from '@solana/kit';
import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../src/database/open.ts';

/** The connections of a process that crashes. */
export interface CrashingProcess {
  readonly database: Database;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly isDead: boolean;
  /** Makes every call fail after this number of calls. */
  dieAfter(calls: number): void;
}

/** @param afterwards whether the last RPC call takes effect, so that only its response is lost */
export function crashingProcess(
  world: Pick<World, 'database' | 'net'>,
  { afterwards }: { afterwards: boolean },
): CrashingProcess {
  let left = Number.POSITIVE_INFINITY;
  const spend = () => {
    left -= 1;
    if (left < 0) throw new Error('The process was killed.');
  };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      spend();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const transport = (async (config) => {
    const wasAlive = left >= 0;
    try {
      spend();
    } catch (error) {
      if (afterwards && wasAlive) await world.net.transport(config);
      throw error;
    }
    return world.net.transport(config);
  }) as RpcTransport;
  return {
    database: { ...world.database, db: world.database.db.withPlugin(plugin) },
    rpc: createSolanaRpcFromTransport(transport) as unknown as Rpc<SolanaRpcApi>,
    get isDead() {
      return left < 0;
    },
    dieAfter(calls) {
      left = calls;
    },
  };
}
