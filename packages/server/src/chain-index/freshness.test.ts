/** The limit on how far the index may be ahead of the chain. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StillClock, startChain, type TestChain } from '../../test/support/chain-index/chain.ts';
import { testService } from '../../test/support/read-service.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { readChainTip } from './chain-tip.ts';
import { assertIndexFresh } from './freshness.ts';

let chain: TestChain;
let database: TestDatabase;
let service: Awaited<ReturnType<typeof testService>>;
beforeAll(async () => {
  const clock = new StillClock();
  chain = await startChain({ clock, bare: true });
  database = await openTestDatabase();
  service = await testService(chain, { clock, database });
  await service.follow();
});
afterAll(async () => {
  await service.close();
  await database.close();
  await chain.net.stop();
});

/** Returns the response of reads when the index is this many seconds ahead of the chain. */
async function answerAt(ahead: bigint): Promise<string> {
  const { time } = await readChainTip(service.service, AbortSignal.timeout(5_000));
  await database.db
    .updateTable('index_position')
    .set({ time: time + ahead })
    .execute();
  return assertIndexFresh(service.service).then(
    () => 'fresh',
    (error: { code: string }) => error.code,
  );
}

test.each<[bigint, string]>([
  [0n, 'fresh'],
  // A node may be a little behind the node that the index was read from.
  [30n, 'fresh'],
  // An index that is far ahead comes from another chain or a wrong response, and would not move.
  [31n, 'INDEX_STALE'],
  [2n ** 40n, 'INDEX_STALE'],
])('%d seconds ahead of the chain: %s', async (ahead, answer) => {
  expect(await answerAt(ahead)).toBe(answer);
});
