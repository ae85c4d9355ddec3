/** A test service whose RPC calls can be watched and broken, on a chain of its own. */
import { createSolanaRpcFromTransport } from '@solana/kit';
import { StillClock, startChain } from '../chain-index/chain.ts';
import { testService } from '../read-service.ts';
import { openTestDatabase } from '../test-database.ts';

/** Runs around each RPC call; throwing breaks the connection there. */
export interface AroundCalls {
  before: (method: string) => unknown;
  after: (method: string) => void;
  /** Methods that were called. */
  calls: string[];
}

/** Starts chain, database and service. */
export async function startOnFailingRpc() {
  const clock = new StillClock();
  const chain = await startChain({ clock });
  const database = await openTestDatabase();
  const rpc: AroundCalls = { before: () => undefined, after: () => undefined, calls: [] };
  const service = await testService(chain, {
    clock,
    database,
    rpc: createSolanaRpcFromTransport((async (request: { payload: unknown }) => {
      const { method } = request.payload as { method: string };
      rpc.calls.push(method);
      await rpc.before(method);
      const response = await chain.net.transport(request);
      rpc.after(method);
      return response;
    }) as typeof chain.net.transport),
  });
  return {
    clock,
    chain,
    database,
    service,
    rpc,
    async close() {
      await service.close();
      await database.close();
      await chain.net.stop();
    },
  };
}
