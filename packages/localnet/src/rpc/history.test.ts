import {
  errorOf,
  fundedWallet,
  land,
  memoInstruction,
  SOL,
  sendRaw,
  sign,
  statusOf,
  stillLocalnet,
  transferInstruction,
} from '@service/test-support';
import {
  generateKeyPairSigner,
  isSolanaError,
  type KeyPairSigner,
  type Signature,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
} from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { OLD_MEMO_PROGRAM, SYSTEM_PROGRAM } from '../chain/addresses.ts';
import type { Localnet } from '../index.ts';

let net: Localnet;
let payer: KeyPairSigner;

beforeEach(async () => {
  net = stillLocalnet({ finalitySlots: 4 });
  payer = await fundedWallet(net);
});

describe('getSignaturesForAddress', () => {
  const list = async (config: object = {}) => {
    const entries = await net.rpc
      .getSignaturesForAddress(payer.address, { commitment: 'confirmed', ...config } as never)
      .send();
    return entries.map(({ signature }) => signature);
  };

  async function landMemos(count: number): Promise<Signature[]> {
    const signatures: Signature[] = [];
    for (let index = 0; index < count; index++) {
      signatures.push(await land(net, [payer], [memoInstruction(`memo ${index}`)]));
      if (index % 2 === 1) net.advanceSlots(1);
    }
    net.advanceSlots(1);
    return signatures.reverse();
  }

  it('lists newest first, pages by limit, before and until', async () => {
    const all = await landMemos(7);
    expect(await list()).toEqual(all);
    expect(await list({ limit: 3 })).toEqual(all.slice(0, 3));
    expect(await list({ limit: 3, before: all[2] })).toEqual(all.slice(3, 6));
    expect(await list({ before: all[5] })).toEqual(all.slice(6));
    expect(await list({ until: all[3] })).toEqual(all.slice(0, 3));
    expect(await list({ before: all[1], until: all[4] })).toEqual(all.slice(2, 4));
    const unknown = await sign(net, [payer], [memoInstruction('never sent')]);
    expect(await list({ before: unknown.signature })).toEqual([]);
    expect(await list({ until: unknown.signature })).toEqual(all);
  });

  it('prints each entry as nodes do, memo with its length in bytes', async () => {
    const signature = await land(net, [payer], [memoInstruction('grüß'), memoInstruction('two')]);
    net.advanceSlots(1);
    const [entry] = await net.rpc.getSignaturesForAddress(payer.address, { commitment: 'confirmed' }).send();
    expect(entry).toEqual({
      signature,
      slot: net.slot - 1n,
      err: null,
      memo: '[6] grüß; [3] two',
      blockTime: 1_700_000_000n,
      confirmationStatus: 'confirmed',
    });
  });

  it('has no memo where there is none, and lists failures with their error', async () => {
    const { address: other } = await generateKeyPairSigner();
    const signed = await sign(net, [payer], [transferInstruction(payer.address, other, 100n * SOL)]);
    await sendRaw(net, signed);
    net.advanceSlots(1);
    const [entry] = await net.rpc.getSignaturesForAddress(other, { commitment: 'confirmed' }).send();
    expect(entry).toMatchObject({
      signature: signed.signature,
      memo: null,
      err: { InstructionError: [0n, { Custom: 1n }] },
    });
  });

  it('shows only what has reached the commitment', async () => {
    await land(net, [payer], [memoInstruction('hi')]);
    expect(await list()).toHaveLength(0);
    net.advanceSlots(1);
    expect([await list(), await list({ commitment: 'finalized' })].map((entries) => entries.length)).toEqual([
      1, 0,
    ]);
    net.advanceSlots(3);
    expect(await list({ commitment: 'finalized' })).toHaveLength(1);
  });

  it('refuses limits past 1000 and the processed commitment', async () => {
    for (const config of [{ limit: 0 }, { limit: 1001 }, { commitment: 'processed' }]) {
      expect(isSolanaError(await errorOf(list(config)), SOLANA_ERROR__JSON_RPC__INVALID_PARAMS)).toBe(true);
    }
  });
});

describe('getTransaction', () => {
  const v0 = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 } as const;

  it('answers the wire bytes and what happened', async () => {
    const { address: other } = await generateKeyPairSigner();
    const signed = await sign(
      net,
      [payer],
      [transferInstruction(payer.address, other, SOL), memoInstruction('hi')],
    );
    await sendRaw(net, signed);
    net.advanceSlots(1);
    const landed = await net.rpc.getTransaction(signed.signature, { ...v0, encoding: 'base64' }).send();
    expect(landed).toMatchObject({
      slot: net.slot - 1n,
      blockTime: 1_700_000_000n,
      version: 0,
      transaction: [signed.wire, 'base64'],
      meta: { err: null, fee: 5_000n, innerInstructions: [], preTokenBalances: [], postTokenBalances: [] },
    });
    expect(landed!.meta!.preBalances.slice(0, 2)).toEqual([10n * SOL, 0n]);
    expect(landed!.meta!.postBalances.slice(0, 2)).toEqual([9n * SOL - 5_000n, SOL]);
    expect(landed!.meta!.logMessages!.join('\n')).toContain('Program log: hi');
    expect(landed!.meta!.computeUnitsConsumed).toBeGreaterThan(150n);
  });

  it('answers the message as JSON', async () => {
    const { address: other } = await generateKeyPairSigner();
    const signature = await land(net, [payer], [transferInstruction(payer.address, other, SOL)]);
    net.advanceSlots(1);
    const landed = await net.rpc.getTransaction(signature, { ...v0, encoding: 'json' }).send();
    expect(landed!.transaction).toMatchObject({
      signatures: [signature],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        accountKeys: [payer.address, other, SYSTEM_PROGRAM],
        instructions: [{ programIdIndex: 2, accounts: [0, 1] }],
        addressTableLookups: [],
      },
    });
  });

  it('refuses a version that the client did not ask for, except legacy', async () => {
    const signature = await land(net, [payer], [memoInstruction('hi')]);
    const legacy = await sign(net, [payer], [memoInstruction('old')], { version: 'legacy' });
    await sendRaw(net, legacy);
    net.advanceSlots(1);
    const config = { commitment: 'confirmed', encoding: 'base64' } as const;
    const error = await errorOf(net.rpc.getTransaction(signature, config as never).send());
    expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)).toBe(
      true,
    );
    expect(await net.rpc.getTransaction(legacy.signature, config).send()).not.toHaveProperty('version');
    const versioned = await net.rpc
      .getTransaction(legacy.signature, { ...config, maxSupportedTransactionVersion: 0 })
      .send();
    expect(versioned).toMatchObject({ version: 'legacy' });
  });

  it('is null for what is unknown or not that far, and refuses what it cannot do', async () => {
    const signature = await land(net, [payer], [memoInstruction('hi')]);
    expect(await net.rpc.getTransaction(signature, v0).send()).toBeNull();
    const ask = (config: object) =>
      net.handle({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, config] });
    net.advanceSlots(1);
    expect(ask({ ...v0, encoding: 'jsonParsed' })).toMatchObject({ error: { code: -32602 } });
    expect(ask({ ...v0, commitment: 'processed' })).toMatchObject({ error: { code: -32602 } });
    expect(ask({ ...v0, commitment: 'finalized' })).toMatchObject({ result: null });
  });
});

describe('getSignatureStatuses', () => {
  it('forgets what is long past unless it may search the history', async () => {
    const signature = await land(net, [payer], [memoInstruction('hi')]);
    net.advanceSlots(4 + 300);
    expect(await statusOf(net, signature)).not.toBeNull();
    net.advanceSlots(1);
    expect(await statusOf(net, signature)).toBeNull();
    const { context, value } = await net.rpc
      .getSignatureStatuses([signature], { searchTransactionHistory: true })
      .send();
    expect(context.slot).toBe(net.slot);
    expect(value[0]).toMatchObject({ confirmationStatus: 'finalized', confirmations: null, err: null });
  });

  it('refuses more than 256 at once, and what is no signature', async () => {
    const signature = await land(net, [payer], [memoInstruction('hi')]);
    const ask = (signatures: unknown) =>
      net.handle({ jsonrpc: '2.0', id: 1, method: 'getSignatureStatuses', params: [signatures] });
    expect(ask(new Array(257).fill(signature))).toMatchObject({ error: { code: -32602 } });
    expect(ask(['abc'])).toMatchObject({ error: { code: -32602 } });
    expect(ask(signature)).toMatchObject({ error: { code: -32602 } });
  });
});

describe('blocks', () => {
  it('tells when a slot was, and that others are not there', async () => {
    net.setTime(2_000_000_000);
    expect(await net.rpc.getBlockTime(net.slot).send()).toBe(2_000_000_000n);
    expect(await net.rpc.getBlockTime(1000n).send()).toBe(1_700_000_000n);
    const future = await errorOf(net.rpc.getBlockTime(net.slot + 1n).send());
    expect(isSolanaError(future, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE)).toBe(true);
    const past = await errorOf(net.rpc.getBlockTime(3n).send());
    expect(isSolanaError(past, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP)).toBe(true);
  });

  it('knows which block it has first', async () => {
    expect(await net.rpc.getFirstAvailableBlock().send()).toBe(0n);
    expect(await net.rpc.minimumLedgerSlot().send()).toBe(1000n);
  });
});

describe('a node that lost its history', () => {
  it('forgets transactions and says so by its first block, but runs nothing twice', async () => {
    const { address: other } = await generateKeyPairSigner();
    const signed = await sign(net, [payer], [transferInstruction(payer.address, other, SOL)]);
    await sendRaw(net, signed);
    net.advanceSlots(5);
    net.forgetHistory();
    const { value } = await net.rpc
      .getSignatureStatuses([signed.signature], { searchTransactionHistory: true })
      .send();
    expect(value).toEqual([null]);
    expect(await net.rpc.getSignaturesForAddress(payer.address).send()).toEqual([]);
    expect(await net.rpc.getFirstAvailableBlock().send()).toBe(net.slot);
    await sendRaw(net, signed);
    expect((await net.rpc.getBalance(other, { commitment: 'processed' }).send()).value).toBe(SOL);
  });

  it('can claim another first block', async () => {
    net.setFirstAvailableBlock(1234n);
    expect(await net.rpc.getFirstAvailableBlock().send()).toBe(1234n);
  });
});

it('lists both memo programs', async () => {
  const old = OLD_MEMO_PROGRAM;
  await land(net, [payer], [memoInstruction('one', old)]);
  net.advanceSlots(1);
  const [entry] = await net.rpc.getSignaturesForAddress(payer.address, { commitment: 'confirmed' }).send();
  expect(entry?.memo).toBe('[3] one');
});
