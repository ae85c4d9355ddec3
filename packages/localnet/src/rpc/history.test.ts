import type { Signature } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { expectError, INVALID_PARAMS, net, other, payer, useCluster } from '../../test/support/cluster.ts';
import { memoInstruction, SOL } from '../../test/support/index.ts';
import { OLD_MEMO_PROGRAM, SYSTEM_PROGRAM } from '../chain/addresses.ts';

const NOT_FOUND = 'SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND';

useCluster({ finalitySlots: 4 });

/** Returns the status of a signature, also of one that left the node's recent statuses. */
const oldStatusOf = (signature: Signature) =>
  net.rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).send();

describe('getSignaturesForAddress', () => {
  const list = async (config: object = {}) => {
    const options = { commitment: 'confirmed', ...config } as never;
    const entries = await net.rpc.getSignaturesForAddress(payer.address, options).send();
    return entries.map(({ signature }) => signature);
  };

  async function landMemos(count: number): Promise<Signature[]> {
    const signatures: Signature[] = [];
    for (let index = 0; index < count; index++) {
      signatures.push(await net.landMemo(`memo ${index}`));
      if (index % 2 === 1) net.advanceSlots(1);
    }
    net.advanceSlots(1);
    return signatures.reverse();
  }

  it('lists the newest first and pages by limit, before and until', async () => {
    const all = await landMemos(7);
    expect(await list()).toEqual(all);
    expect(await list({ limit: 3 })).toEqual(all.slice(0, 3));
    expect(await list({ limit: 3, before: all[2] })).toEqual(all.slice(3, 6));
    expect(await list({ before: all[5] })).toEqual(all.slice(6));
    expect(await list({ until: all[3] })).toEqual(all.slice(0, 3));
    expect(await list({ before: all[1], until: all[4] })).toEqual(all.slice(2, 4));
    const unknown = await net.signByPayer(memoInstruction('never sent'));
    for (const bound of ['before', 'until'])
      await expectError(list({ [bound]: unknown.signature }), NOT_FOUND);
  });

  it('pages by a transaction of another account', async () => {
    const [first, second, third] = [
      await net.landMemo('1'),
      await net.landTransfer(SOL),
      await net.landMemo('3'),
    ];
    net.advanceSlots(1);
    const ofOther = (bound: object) =>
      net.rpc.getSignaturesForAddress(other, { commitment: 'confirmed', ...bound }).send();
    expect(await ofOther({ before: third, until: first })).toMatchObject([{ signature: second }]);
    expect(await ofOther({ before: first })).toEqual([]);
    expect(await ofOther({ until: third })).toEqual([]);
  });

  it('returns entries in the format of a node, memos with their length in bytes', async () => {
    const signature = await net.landByPayer(memoInstruction('grüß'), memoInstruction('two'));
    net.advanceSlots(1);
    const landed = {
      slot: net.slot - 1n,
      blockTime: 1_700_000_000n,
      confirmationStatus: 'confirmed',
      transactionIndex: 0,
    };
    expect(await net.entriesOf(payer.address)).toEqual([
      { signature, err: null, memo: '[6] grüß; [3] two', ...landed },
    ]);
  });

  it('returns null without a memo, and lists failures with their error', async () => {
    const signature = await net.sendRaw(await net.signTransfer(100n * SOL));
    net.advanceSlots(1);
    const err = { InstructionError: [0n, { Custom: 1n }] };
    expect(await net.entriesOf(other)).toMatchObject([{ signature, memo: null, err }]);
  });

  it('lists only transactions that have reached the commitment', async () => {
    await net.landMemo('hi');
    expect(await list()).toHaveLength(0);
    net.advanceSlots(1);
    expect(await list()).toHaveLength(1);
    expect(await list({ commitment: 'finalized' })).toHaveLength(0);
    net.advanceSlots(3);
    expect(await list({ commitment: 'finalized' })).toHaveLength(1);
  });

  it('rejects limits above 1000 and the processed commitment', async () => {
    for (const config of [{ limit: 0 }, { limit: 1001 }, { commitment: 'processed' }]) {
      await expectError(list(config), 'SOLANA_ERROR__JSON_RPC__INVALID_PARAMS');
    }
  });
});

describe('getTransaction', () => {
  const v0 = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 } as const;

  it('returns the wire bytes and the result', async () => {
    const signed = await net.signByPayer(net.transferOf(SOL), memoInstruction('hi'));
    await net.sendRaw(signed);
    net.advanceSlots(1);
    const landed = await net.rpc.getTransaction(signed.signature, { ...v0, encoding: 'base64' }).send();
    expect(landed).toMatchObject({
      slot: net.slot - 1n,
      blockTime: 1_700_000_000n,
      version: 0,
      transaction: [signed.wire, 'base64'],
      meta: { err: null, fee: 5_000n, innerInstructions: [], preTokenBalances: [], postTokenBalances: [] },
    });
    const { preBalances, postBalances, logMessages, computeUnitsConsumed } = landed!.meta!;
    expect(preBalances.slice(0, 2)).toEqual([10n * SOL, 0n]);
    expect(postBalances.slice(0, 2)).toEqual([9n * SOL - 5_000n, SOL]);
    expect(logMessages!.join('\n')).toContain('Program log: hi');
    expect(computeUnitsConsumed).toBeGreaterThan(150n);
  });

  it('returns the message as JSON', async () => {
    const signature = await net.landTransfer(SOL);
    net.advanceSlots(1);
    expect((await net.transactionOf(signature)).transaction).toMatchObject({
      signatures: [signature],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        accountKeys: [payer.address, other, SYSTEM_PROGRAM],
        instructions: [{ programIdIndex: 2, accounts: [0, 1] }],
        addressTableLookups: [],
      },
    });
  });

  it('rejects a version that the client did not ask for, except legacy', async () => {
    const signature = await net.landMemo('hi');
    const legacy = await net.sign([payer], [memoInstruction('old')], { version: 'legacy' });
    await net.sendRaw(legacy);
    net.advanceSlots(1);
    const config = { commitment: 'confirmed', encoding: 'base64' } as const;
    const withoutVersion = net.rpc.getTransaction(signature, config as never).send();
    await expectError(withoutVersion, 'SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION');
    expect(await net.rpc.getTransaction(legacy.signature, config).send()).not.toHaveProperty('version');
    expect(await net.transactionOf(legacy.signature)).toMatchObject({ version: 'legacy' });
  });

  it('returns null before the commitment is reached, and rejects unsupported options', async () => {
    const signature = await net.landMemo('hi');
    expect(await net.rpc.getTransaction(signature, v0).send()).toBeNull();
    const ask = (config: object) => net.call('getTransaction', signature, config);
    net.advanceSlots(1);
    expect(ask({ ...v0, encoding: 'jsonParsed' })).toMatchObject(INVALID_PARAMS);
    expect(ask({ ...v0, commitment: 'processed' })).toMatchObject(INVALID_PARAMS);
    expect(ask({ ...v0, commitment: 'finalized' })).toMatchObject({ result: null });
  });
});

describe('getSignatureStatuses', () => {
  it('returns old statuses only with searchTransactionHistory', async () => {
    const signature = await net.landMemo('hi');
    net.advanceSlots(4 + 300);
    expect(await net.statusOf(signature)).not.toBeNull();
    net.advanceSlots(1);
    expect(await net.statusOf(signature)).toBeNull();
    const { context, value } = await oldStatusOf(signature);
    expect(context.slot).toBe(net.slot);
    expect(value).toMatchObject([{ confirmationStatus: 'finalized', confirmations: null, err: null }]);
  });

  it('rejects more than 256 signatures, and texts that are not a signature', async () => {
    const signature = await net.landMemo('hi');
    for (const signatures of [new Array(257).fill(signature), ['abc'], signature]) {
      expect(net.call('getSignatureStatuses', signatures)).toMatchObject(INVALID_PARAMS);
    }
  });
});

describe('a node that lost its history', () => {
  it('has no transactions and a later first block, but runs no message twice', async () => {
    const signed = await net.signTransfer(SOL);
    await net.sendRaw(signed);
    net.advanceSlots(5);
    net.forgetHistory();
    expect((await oldStatusOf(signed.signature)).value).toEqual([null]);
    expect(await net.rpc.getSignaturesForAddress(payer.address).send()).toEqual([]);
    expect(await net.rpc.getFirstAvailableBlock().send()).toBe(net.slot);
    await net.sendRaw(signed);
    expect(await net.balanceOf(other)).toBe(SOL);
  });

  it('can report another first block', async () => {
    net.setFirstAvailableBlock(1234n);
    expect(await net.rpc.getFirstAvailableBlock().send()).toBe(1234n);
  });
});

it('lists both memo programs', async () => {
  await net.landByPayer(memoInstruction('one', OLD_MEMO_PROGRAM));
  net.advanceSlots(1);
  expect(await net.entriesOf(payer.address)).toMatchObject([{ memo: '[3] one' }]);
});
