/** The limit on how far the index may be ahead of the chain. */
import { beforeAll, expect, test } from 'vitest';
import { serviceOnChain } from '../../test/support/service-on-chain.ts';
import { readChainTip } from '../chain-head/index.ts';
import { assertIndexFresh } from './freshness.ts';

const on = serviceOnChain({ bare: true });
beforeAll(() => on.service.follow());

/** Returns the response of reads when the index is this many seconds ahead of the chain. */
async function answerAt(ahead: bigint): Promise<string> {
  const { service } = on.service;
  const time = (await readChainTip(service, AbortSignal.timeout(5_000))).time + ahead;
  await on.database.db.updateTable('index_position').set({ time }).execute();
  return assertIndexFresh(service).then(
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
