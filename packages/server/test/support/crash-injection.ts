/** A process that crashes: after a number of statements and RPC calls, every call fails and no lease is released. */
import type { World } from '@service/test-support/service';
import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../src/database/open.ts';
import { rpcAround } from './rpc-around.ts';

/**
 * Returns the connections of a process that crashes when `dieAfter` has counted down.
 *
 * @param afterwards whether the last RPC call takes effect, so that only its response is lost
 */
export function crashingProcess(
  { database, net }: Pick<World, 'net'> & { database: Database },
  { afterwards }: { afterwards: boolean },
) {
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
  const rpc = rpcAround(net, async (call) => {
    const wasAlive = left >= 0;
    try {
      spend();
    } catch (error) {
      if (afterwards && wasAlive) await call();
      throw error;
    }
    return call();
  });
  return {
    database: { ...database, db: database.db.withPlugin(plugin) },
    rpc,
    get isDead() {
      return left < 0;
    },
    /** Makes every call fail after this number of calls. */
    dieAfter(calls: number) {
      left = calls;
    },
  };
}
