import { describe, expect, it } from 'vitest';
import { expectError, INVALID_PARAMS, net, other, payer, useCluster } from '../../../test/support/cluster.ts';
import { memoInstruction, SOL } from '../../../test/support/index.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../../chain/addresses.ts';

const V0 = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
const NOT_AVAILABLE = { error: { code: -32004 } };

useCluster({ finalitySlots: 4 });

/** Lands a legacy memo and a transfer with a memo in one slot, and confirms the slot. */
async function landTwo() {
  const legacy = await net.sign([payer], [memoInstruction('old')], { version: 'legacy' });
  await net.sendRaw(legacy);
  const transfer = await net.landByPayer(net.transferOf(SOL), memoInstruction('hi'));
  net.advanceSlots(1);
  return { slot: Number(net.slot - 1n), signatures: [legacy.signature, transfer] };
}
const blockOf = (slot: number, config?: unknown) =>
  net.call('getBlock', slot, config) as { result: Record<string, unknown> };

describe('getBlock', () => {
  it('returns the transactions as getTransaction does, and links the blocks', async () => {
    const { slot, signatures } = await landTwo();
    const { result } = blockOf(slot, V0);
    const single = signatures.map((signature) => net.call('getTransaction', signature, V0));
    for (const [index, each] of (result.transactions as object[]).entries()) {
      const { result: transaction } = single[index] as { result: object };
      expect(transaction).toEqual({
        slot: BigInt(slot),
        blockTime: 1_700_000_000,
        transactionIndex: index,
        ...each,
      });
    }
    expect(result).toMatchObject({
      parentSlot: BigInt(slot - 1),
      blockHeight: BigInt(slot - 1000),
      blockTime: 1_700_000_000,
      rewards: [],
      previousBlockhash: blockOf(slot - 1, V0).result.blockhash,
    });
    const { value } = await net.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    expect(result.blockhash).toBe(value.blockhash);
  });

  it.each([
    ['accounts', ['transactions', 'rewards']],
    ['signatures', ['signatures', 'rewards']],
    ['none', ['rewards']],
  ])('returns %s', async (transactionDetails, members) => {
    const { slot, signatures } = await landTwo();
    const header = ['previousBlockhash', 'blockhash', 'parentSlot', 'blockTime', 'blockHeight'];
    const { result } = blockOf(slot, { ...V0, transactionDetails });
    expect(Object.keys(result).sort()).toEqual([...header, ...members].sort());
    if (transactionDetails === 'signatures') expect(result.signatures).toEqual(signatures);
    if (transactionDetails !== 'accounts') return;
    const key = (pubkey: string, writable: boolean, signer: boolean) => ({
      pubkey,
      writable,
      signer,
      source: 'transaction',
    });
    const accountKeys = [
      key(payer.address, true, true),
      key(other, true, false),
      key(SYSTEM_PROGRAM, false, false),
      key(MEMO_PROGRAM, false, false),
    ];
    const [first, second] = result.transactions as { transaction: unknown; meta: object }[];
    expect(first).toMatchObject({ version: 'legacy', meta: { err: null, fee: 5_000n } });
    expect(second!.transaction).toEqual({ signatures: [signatures[1]], accountKeys });
    expect(second!.meta).not.toHaveProperty('logMessages');
  });

  it('leaves out rewards, and encodes transactions', async () => {
    const { slot } = await landTwo();
    expect(blockOf(slot, { ...V0, rewards: false }).result).not.toHaveProperty('rewards');
    const full = blockOf(slot, { ...V0, rewards: false, encoding: 'base64' }).result.transactions;
    expect(full).toMatchObject([
      { transaction: [expect.any(String), 'base64'], meta: { rewards: null } },
      { transaction: [expect.any(String), 'base64'] },
    ]);
    const accounts = { ...V0, rewards: false, transactionDetails: 'accounts' };
    const [first] = blockOf(slot, accounts).result.transactions as { meta: object }[];
    expect(first!.meta).not.toHaveProperty('rewards');
  });

  it('rejects blocks that do not exist or have not reached the commitment', async () => {
    const { slot } = await landTwo();
    expect(blockOf(slot)).toMatchObject(NOT_AVAILABLE);
    expect(blockOf(slot + 1, V0)).toMatchObject(NOT_AVAILABLE);
    expect(blockOf(999, V0)).toMatchObject({ error: { code: -32001 } });
    expect(blockOf(slot, { commitment: 'confirmed' })).toMatchObject({ error: { code: -32015 } });
    for (const wrong of [
      { commitment: 'processed' },
      { ...V0, transactionDetails: 'some' },
      { ...V0, encoding: 'jsonParsed' },
    ])
      expect(blockOf(slot, wrong), JSON.stringify(wrong)).toMatchObject(INVALID_PARAMS);
    for (const wrong of [undefined, -1, 'x', 1.5])
      expect(net.call('getBlock', wrong), String(wrong)).toMatchObject(INVALID_PARAMS);
    net.advanceSlots(4);
    expect(blockOf(slot, 'base64')).toMatchObject({ error: { code: -32015 } });
    net.forgetHistory();
    expect(blockOf(slot, V0)).toMatchObject({ error: { code: -32001 } });
  });

  it('has the genesis block, which is its own parent', () => {
    const { blockhash, previousBlockhash, ...block } = blockOf(1000).result;
    expect(previousBlockhash).toBe(blockhash);
    expect(block).toMatchObject({ parentSlot: 1000n, blockHeight: 0n, transactions: [] });
  });
});

describe('other methods for blocks', () => {
  it('returns the time of a slot, and an error for unknown slots', async () => {
    const timeOf = (slot: bigint) => net.rpc.getBlockTime(slot).send();
    net.setTime(2_000_000_000);
    expect([await timeOf(net.slot), await timeOf(1000n)]).toEqual([2_000_000_000n, 1_700_000_000n]);
    await expectError(timeOf(net.slot + 1n), 'SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE');
    await expectError(timeOf(3n), 'SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP');
  });

  it('returns its first available block', async () => {
    expect(await net.rpc.getFirstAvailableBlock().send()).toBe(0n);
    expect(await net.rpc.minimumLedgerSlot().send()).toBe(1000n);
  });

  it('names one leader for every slot of a cluster', async () => {
    const leader = await net.rpc.getSlotLeader().send();
    net.advanceSlots(5);
    expect(await net.rpc.getSlotLeader({ commitment: 'processed' }).send()).toBe(leader);
    expect(net.call('getSlotLeader', { minContextSlot: 5000 })).toMatchObject({ error: { code: -32016 } });
  });

  it('counts the transactions up to a slot', async () => {
    await landTwo();
    await net.landMemo('processed');
    const count = (commitment: 'processed' | 'confirmed' | 'finalized') =>
      net.rpc.getTransactionCount({ commitment }).send();
    expect(await Promise.all([count('processed'), count('confirmed'), count('finalized')])).toEqual([
      3n,
      2n,
      0n,
    ]);
  });
});
