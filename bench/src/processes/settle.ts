/** Settles operations with the service, and sends equal transactions to the chain without it. */
import { openTestDatabase } from '@service/server/test-database';
import { type Base64EncodedWireTransaction, createSolanaRpc } from '@solana/kit';
import { answer, timed } from './answer.mjs';
import {
  prepareAndSubmit,
  prepareSigned,
  startChain,
  startService,
  tenAtATime,
  visitorsOf,
} from './service-on-chain.ts';

const BATCH = 40;

const chain = await startChain();
const rpc = createSolanaRpc(chain.url);
const database = await openTestDatabase();
const service = await startService(chain, database);
const signers = await chain.wallets(2 * BATCH);
const visitors = visitorsOf(service, signers);
await tenAtATime(visitors, (visitor) => visitor.signIn());
const [served, direct] = [visitors.slice(0, BATCH), visitors.slice(BATCH)];

answer({
  /** Milliseconds per operation, from its preparation until the service says FINALIZED. */
  async ours() {
    return perOperation(async () => {
      const ids: string[] = [];
      await tenAtATime(served, async (visitor) => void ids.push(await prepareAndSubmit(visitor)));
      while (!(await areFinalized(ids))) {
        await service.tick();
        await chain.finalize();
      }
    });
  },
  /** Milliseconds per transaction, from sending it until the chain says finalized. */
  async peer() {
    const wires: Base64EncodedWireTransaction[] = [];
    await tenAtATime(direct, async (visitor) => {
      wires.push((await prepareSigned(visitor)).transaction as Base64EncodedWireTransaction);
    });
    return perOperation(async () => {
      await tenAtATime(wires, async (wire) => {
        const signature = await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
        await rpc.getSignatureStatuses([signature]).send();
      });
      await chain.finalize();
    });
  },
});

async function areFinalized(ids: readonly string[]): Promise<boolean> {
  const rows = await database.db
    .selectFrom('operation')
    .select('state')
    .where('id', 'in', [...ids])
    .execute();
  const failed = rows.find(({ state }) => state === 'FAILED' || state === 'UNRESOLVED');
  if (failed) throw new Error(`An operation is ${failed.state}.`);
  return rows.every(({ state }) => state === 'FINALIZED');
}

async function perOperation(run: () => Promise<void>) {
  const { value, cpu } = await timed(run);
  return { value: value / BATCH, cpu: cpu / BATCH };
}
