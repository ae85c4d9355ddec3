import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Localnet } from '@service/localnet';
import { findProgramDataAddress, MEMO_PROGRAM } from '@service/protocol';
import { memoInstruction, SOL, type StillLocalnet, stillLocalnet, watchedRpc } from '@service/test-support';
import {
  type Address,
  address,
  createSolanaRpc,
  generateKeyPairSigner,
  getAddressDecoder,
  type KeyPairSigner,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DeployProgramOptions, deployProgram } from './deploy-program.ts';

const ASSOCIATED_TOKEN = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

let net: StillLocalnet;
let payer: KeyPairSigner;
let programKeypair: KeyPairSigner;
let upgradeAuthority: KeyPairSigner;
/** The code of the memo program. */
let so: Buffer;

beforeEach(async () => {
  net = stillLocalnet();
  payer = await net.wallet();
  [programKeypair, upgradeAuthority] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  so = (await dataOf(MEMO_PROGRAM))!;
});
afterEach(async () => {
  vi.useRealTimers();
  await net.stop();
});

/** Reads the data of an account, or undefined if it does not exist. The programs of genesis are plain executable accounts. */
async function dataOf(account: Address): Promise<Buffer | undefined> {
  const config = { encoding: 'base64', commitment: 'processed' } as const;
  const { value } = await net.rpc.getAccountInfo(account, config).send();
  return value ? Buffer.from(value.data[0], 'base64') : undefined;
}
/** Returns the cluster's RPC, and calls a function before each call of one method. */
const rpcBefore = (method: string, act: () => void) =>
  watchedRpc(net, {
    before: (called) => {
      if (called === method) act();
    },
  });

const deploy = (options: Partial<DeployProgramOptions> = {}) =>
  deployProgram({
    rpc: net.rpc,
    payer,
    programKeypair,
    upgradeAuthority,
    so,
    commitment: 'processed',
    ...options,
  });

describe('deployProgram', () => {
  it('deploys a program that runs and has its upgrade authority on chain', async () => {
    const { program, programData, slot } = await deploy();
    expect([program, slot]).toEqual([programKeypair.address, net.slot]);
    expect(programData).toBe(await findProgramDataAddress(program));

    const data = (await dataOf(programData))!;
    expect(data.readUInt32LE(0)).toBe(3);
    expect(data[12]).toBe(1);
    expect(getAddressDecoder().decode(data.subarray(13, 45))).toBe(upgradeAuthority.address);
    expect(data.subarray(45).equals(so)).toBe(true);

    const signature = await net.land([payer], [memoInstruction('from the new program', program)]);
    net.advanceSlots(1);
    const { meta } = await net.transactionOf(signature);
    expect(meta!.logMessages).toContain('Program log: from the new program');
  });

  it('does not run in an earlier slot', async () => {
    const { program } = await deploy();
    const signed = await net.sign([payer], [memoInstruction('hi', program)], { commitment: 'confirmed' });
    const config = { encoding: 'base64', commitment: 'confirmed' } as const;
    const simulate = async () => (await net.rpc.simulateTransaction(signed.wire, config).send()).value.err;
    expect(await simulate()).toBe('ProgramAccountNotFound');
    net.advanceSlots(1);
    expect(await simulate()).toBeNull();
    expect((await net.outcomeOf(signed))?.err).toBeNull();
  });

  it('runs after a restart of a chain with a journal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deployed-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const journal = join(folder, 'chain');
    const first = stillLocalnet({ journal });
    const rich = await first.wallet();
    const { program } = await deploy({ rpc: first.rpc, payer: rich });
    await first.stop();
    const next = stillLocalnet({ journal });
    await next.land([rich], [memoInstruction('after the restart', program)]);
    await next.stop();
  });

  it('waits for confirmation on a running cluster, over HTTP', async () => {
    const running = Localnet.start({ slotMs: 20 });
    const { url } = await running.listen({ port: 0 });
    const rich = await generateKeyPairSigner();
    running.airdrop(rich.address, 10n * SOL);
    const large = (await dataOf(ASSOCIATED_TOKEN))!;
    const cluster = { rpc: createSolanaRpc(url as never), payer: rich, upgradeAuthority: rich };
    const { slot, transactions } = await deploy({ ...cluster, so: large, commitment: 'confirmed' });
    expect(running.slot).toBeGreaterThan(slot);
    expect(transactions).toBe(2 + Math.ceil(large.length / 1011));
    await running.stop();
  });

  it('rejects bytes that are not a program before it sends anything', async () => {
    const wrongMachine = so.with(18, 62);
    const script = new TextEncoder().encode('#!/bin/sh');
    const error = { name: 'DeployError', code: 'NOT_A_PROGRAM' };
    for (const bytes of [new Uint8Array(), script, so.subarray(0, 40), wrongMachine])
      await expect(deploy({ so: bytes })).rejects.toMatchObject(error);
    expect(await net.rpc.getTransactionCount({ commitment: 'processed' }).send()).toBe(0n);
  });

  it('throws the reason why the loader rejects a broken program, and leaves no program', async () => {
    const broken = Uint8Array.from(so).fill(0xff, 64, 200);
    const logs = expect.arrayContaining([expect.any(String)]);
    await expect(deploy({ so: broken })).rejects.toMatchObject({ code: 'REFUSED', logs });
    expect(await dataOf(programKeypair.address)).toBeUndefined();
  });

  it('rejects an address that has an account, and a payer without enough SOL', async () => {
    await deploy();
    await expect(deploy()).rejects.toMatchObject({ code: 'ALREADY_DEPLOYED' });
    const poor = await net.wallet(SOL / 100n);
    const another = { payer: poor, programKeypair: await generateKeyPairSigner() };
    await expect(deploy({ ...another, commitment: 'confirmed' })).rejects.toMatchObject({ code: 'REFUSED' });
  });

  it('gives up when its transactions never land', async () => {
    net.dropTransactions(true);
    const rpc = rpcBefore('getSignatureStatuses', () => net.advanceSlots(152));
    await expect(deploy({ rpc, commitment: 'confirmed' })).rejects.toMatchObject({ code: 'EXPIRED' });
  });

  it('stops when its signal is aborted', async () => {
    const controller = new AbortController();
    const rpc = rpcBefore('getBlockHeight', () => controller.abort(new Error('enough')));
    net.dropTransactions(true);
    await expect(deploy({ rpc, signal: controller.signal })).rejects.toThrow('enough');
  });

  it('broadcasts lost transactions again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    let sent = 0;
    const rpc = watchedRpc(net, {
      before: (method) => {
        if (method === 'sendTransaction') net.dropTransactions(++sent % 2 === 1);
        // Time passes only between polls, and then more than the wait before a broadcast.
        if (method === 'getBlockHeight')
          setImmediate(() => vi.isFakeTimers() && vi.advanceTimersByTime(2_100));
      },
    });
    const { transactions } = await deploy({ rpc });
    expect(sent).toBeGreaterThan(transactions);
  });

  it.each([
    ['code', 45],
    ['upgrade authority', 13],
  ])('throws when the cluster has another %s', async (_, offset) => {
    const programData = await findProgramDataAddress(programKeypair.address);
    const rpc = watchedRpc(net, {
      after: (method, params, response) => {
        if (method !== 'getAccountInfo' || params[0] !== programData) return;
        const { data } = (response as { result: { value: { data: string[] } } }).result.value;
        const bytes = Buffer.from(data[0]!, 'base64');
        bytes[offset]! ^= 1;
        data[0] = bytes.toString('base64');
      },
    });
    await expect(deploy({ rpc })).rejects.toMatchObject({ code: 'MISMATCH' });
  });
});
