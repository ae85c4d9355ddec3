import { issueCredential, newWitness } from '@service/server/test-service';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { crashingProcess } from '../../test/support/crash-injection.ts';
import { randomAddress } from '../../test/support/service-on-chain.ts';
import { testWorld } from '../../test/support/test-world.ts';
import { startIndexer } from '../chain-index/indexer.ts';
import { LEASE_MS } from '../database/lease.ts';
import { startWorker } from '../operations/worker/worker.ts';

const world = testWorld();

/** Returns the types of the events of a wallet, in their order. */
async function typesOf(wallet: string): Promise<string[]> {
  const { rows } = await sql<{ type: string; position: bigint | null }>`
    select type, position from event where wallet = ${wallet} order by position`.execute(world.database.db);
  expect(rows.every(({ position }) => position !== null)).toBe(true);
  return rows.map(({ type }) => type);
}

test('a process that is killed at any call of its worker or indexer loses no event and doubles none', async () => {
  let crashes = 0;
  for (let calls = 0; ; calls += 1) {
    const operation = await world.queued();
    await world.created.tick();
    // Finalizes without a step of the service, so that only the process below follows and indexes.
    const cluster = { ...world, finalize: async () => world.net.finalize() };
    const holder = randomAddress();
    await issueCredential(cluster, { wallet: holder, witness: newWitness() });
    const process = crashingProcess(world, { afterwards: false });
    const { service } = await world.another({ database: process.database, rpc: process.rpc });
    const works = [startWorker(service), startIndexer(service)];
    process.crashAfter(calls);
    for (const work of works) await work.tick().catch(() => undefined);
    for (const work of works) await work.stop();
    world.clock.ms += LEASE_MS;
    await world.settle();
    await world.settle();
    expect(await typesOf(operation.visitor.address), `killed at call ${calls}`).toEqual([
      'operation.finalized',
    ]);
    expect(await typesOf(holder), `killed at call ${calls}`).toEqual(['credential.issued']);
    if (!process.hasCrashed) break;
    crashes += 1;
  }
  expect(crashes).toBeGreaterThanOrEqual(20);
});
