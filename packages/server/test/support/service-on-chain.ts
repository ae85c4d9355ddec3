/** A test service on its own chain and database. Its RPC calls can be recorded and broken. */
import { createSolanaRpcFromTransport } from '@solana/kit';
import { afterAll, beforeAll } from 'vitest';
import { StillClock, startChain, type TestChain } from './chain-index/chain.ts';
import { type TestService, testService } from './read-service.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

/** Functions that run around each RPC call. If one throws, the connection breaks there. */
export interface AroundCalls {
  before: (method: string) => unknown;
  after: (method: string) => void;
  /** The methods that were called. */
  calls: string[];
}

/** The parts that tests use. Chain, database and service exist when `beforeAll` has run. */
export interface ServiceOnChain {
  readonly clock: StillClock;
  readonly rpc: AroundCalls;
  chain: TestChain;
  database: TestDatabase;
  service: TestService;
}

/** Registers hooks that start chain, database and service before the tests of a file and close them afterwards. */
export function serviceOnChain(): ServiceOnChain {
  const clock = new StillClock();
  const rpc: AroundCalls = { before: () => undefined, after: () => undefined, calls: [] };
  const on = { clock, rpc } as ServiceOnChain;
  beforeAll(async () => {
    on.chain = await startChain({ clock });
    on.database = await openTestDatabase();
    const { transport } = on.chain.net;
    const around = async (request: { payload: unknown }) => {
      const { method } = request.payload as { method: string };
      rpc.calls.push(method);
      await rpc.before(method);
      const response = await transport(request);
      rpc.after(method);
      return response;
    };
    on.service = await testService(on.chain, {
      clock,
      database: on.database,
      rpc: createSolanaRpcFromTransport(around as typeof transport),
    });
  });
  afterAll(async () => {
    await on.service.close();
    await on.database.close();
    await on.chain.net.stop();
  });
  return on;
}
