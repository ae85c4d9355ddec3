/** Indexes 100,000 passes, and reads the same accounts with one call. */
import { developmentKeys } from '@service/localnet';
import type { Database } from '@service/server';
import { openTestDatabase } from '@service/server/test-database';
import { createSolanaRpc } from '@solana/kit';
import { startProcess } from '../measured-process.ts';
import { answer, timed } from './answer.mjs';
import { startService } from './service-on-chain.ts';

const node = startProcess('passes.ts');
const { count, ...chain } = await node.ask<{ url: string; genesisHash: string; count: number }>('start');
const { address: program } = (await developmentKeys()).program;

async function indexed({ pool }: Database): Promise<number> {
  const { rows } = await pool!.query('select count(*)::int as count from indexed_account');
  return rows[0].count;
}

answer({
  /** A new service on an empty database indexes all. */
  async ours() {
    const database = await openTestDatabase();
    try {
      return await timed(async () => {
        const service = await startService(chain, database);
        // A step ends after some time, and the next one continues.
        while ((await indexed(database)) < count) await service.tick();
        await service.close();
      });
    } finally {
      await database.close();
    }
  },
  /** The call of a client, with the parsing of its response. */
  peer: () =>
    timed(async () => {
      const accounts = await createSolanaRpc(chain.url)
        .getProgramAccounts(program, { encoding: 'base64' })
        .send();
      const found = (accounts as unknown as { value?: unknown[] }).value ?? accounts;
      if (found.length !== count)
        throw new Error(`The call returned ${found.length} accounts, not ${count}.`);
    }),
});
