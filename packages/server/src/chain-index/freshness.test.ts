/** How far the index may be ahead of the chain. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { testService } from '../reads/_service.ts';
import { StillClock, startChain, type TestChain } from './_chain.ts';
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
  chain.net.finalize();
});
beforeEach(() => database.db.deleteFrom('index_position').execute());
afterAll(async () => {
  await service.close();
  await database.close();
  await chain.net.stop();
});

/** What reads answer with an index that is so many seconds ahead of the chain. */
async function answerAt(ahead: bigint): Promise<string> {
  const { slot, time } = await readChainTip(service.service, AbortSignal.timeout(5_000));
  const position = {
    slot,
    time: time + ahead,
    read_slot: slot,
    settled_slot: slot,
    signature: null,
    reconciled_at: time,
  };
  await database.db
    .insertInto('index_position')
    .values({ id: 1, ...position })
    .execute();
  return assertIndexFresh(service.service).then(
    () => 'fresh',
    (error: { code: string }) => error.code,
  );
}

test.each<[bigint, string]>([
  [0n, 'fresh'],
  // A node may be a little behind the one that the index was read from.
  [30n, 'fresh'],
  // An index that is far ahead is of another chain, or of an answer that was wrong: it will not move for long.
  [31n, 'INDEX_STALE'],
  [2n ** 40n, 'INDEX_STALE'],
])('%d seconds ahead of the chain: %s', async (ahead, answer) => {
  expect(await answerAt(ahead)).toBe(answer);
});
