/** Settles operations with the service, and sends equal transactions to the chain without it. */
import { openTestDatabase } from '@service/server/test-database';
import type { Visitor } from '@service/server/test-service';
import { type Base64EncodedWireTransaction, createSolanaRpc } from '@solana/kit';
import { answer, timed } from './answer.mjs';
import {
  prepareSigned,
  startChain,
  startService,
  submit,
  tenAtATime,
  visitorsOf,
  type WalletOperation,
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
  /** Milliseconds per signed operation, from its submission until the service says FINALIZED. */
  async ours() {
    const signed = await prepareAll(served);
    const ids = signed.map(({ operationId }) => operationId);
    return perOperation(async () => {
      await tenAtATime(signed, submit);
      while (!(await areFinalized(ids))) {
        await service.tick();
        await chain.finalize();
      }
    });
  },
  /** Milliseconds per signed transaction, from sending it until the chain finalizes it. */
  async peer() {
    const signed = await prepareAll(direct);
    return perOperation(async () => {
      await tenAtATime(signed, async ({ transaction }) => {
        const wire = transaction as Base64EncodedWireTransaction;
        const signature = await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
        await rpc.getSignatureStatuses([signature]).send();
      });
      await chain.finalize();
    });
  },
});

async function prepareAll(visitors: readonly Visitor[]): Promise<WalletOperation[]> {
  const signed: WalletOperation[] = [];
  await tenAtATime(visitors, async (visitor) => void signed.push(await prepareSigned(visitor)));
  return signed;
}

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
