/** A process that crashes: after a number of statements and RPC calls, every call fails and no lease is released. */
import type { World } from '@service/server/test-service';
import { type Around, throughDriver } from '@service/test-support/through-driver';
import type { Database } from '../../src/database/database.ts';
import { rpcAround } from './rpc-around.ts';

/**
 * Returns the connections of a process that crashes when `crashAfter` has counted down. The begin and the commit of a
 * transaction are calls too.
 *
 * @param afterwards whether the last call takes effect, so that only its response is lost
 */
export function crashingProcess(
  { database, net }: Pick<World, 'net'> & { database: Database },
  { afterwards }: { afterwards: boolean },
) {
  let left = Number.POSITIVE_INFINITY;
  const around: Around = async (call) => {
    const wasAlive = left >= 0;
    left -= 1;
    if (left >= 0) return call();
    if (afterwards && wasAlive) await call();
    throw new Error('The process was killed.');
  };
  return {
    database: { ...database, db: throughDriver(database.db, around) },
    rpc: rpcAround(net, around),
    get hasCrashed() {
      return left < 0;
    },
    /** Makes every call fail after this number of calls. */
    crashAfter(calls: number) {
      left = calls;
    },
  };
}
