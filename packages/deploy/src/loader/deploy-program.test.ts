import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Localnet } from '@service/localnet';
import {
  fundedWallet,
  land,
  memoInstruction,
  SOL,
  sendRaw,
  sign,
  statusOf,
  stillLocalnet,
} from '@service/test-support';
import {
  type Address,
  address,
  createSolanaRpc,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getAddressDecoder,
  type KeyPairSigner,
  type RpcTransport,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deployProgram } from './deploy-program.ts';
import { findProgramDataAddress } from './instructions.ts';

const MEMO = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const ASSOCIATED_TOKEN = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

let net: Localnet;
let payer: KeyPairSigner;
let programKeypair: KeyPairSigner;
let upgradeAuthority: KeyPairSigner;

beforeEach(async () => {
  net = stillLocalnet();
  [payer, programKeypair, upgradeAuthority] = await Promise.all([
    fundedWallet(net),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
  ]);
});
afterEach(async () => {
  vi.useRealTimers();
  await net.stop();
});

/** The code of a program that the cluster comes with: these two are plain executable accounts. */
async function codeOf(program: Address): Promise<Uint8Array> {
  const { value } = await net.rpc.getAccountInfo(program, { encoding: 'base64' }).send();
  return Buffer.from(value!.data[0], 'base64');
}

const deploy = (so: Uint8Array) =>
  deployProgram({ rpc: net.rpc, payer, programKeypair, upgradeAuthority, so, commitment: 'processed' });

describe('deployProgram', () => {
  it('deploys a program that then runs, with its upgrade authority on chain', async () => {
    const so = await codeOf(MEMO);
    const { program, programData, slot } = await deploy(so);
    expect([program, slot]).toEqual([programKeypair.address, net.slot]);
    expect(programData).toBe(await findProgramDataAddress(program));

    const { value } = await net.rpc
      .getAccountInfo(programData, { encoding: 'jsonParsed', commitment: 'processed' })
      .send();
    const data = Buffer.from((value!.data as [string, string])[0], 'base64');
    expect(data.readUInt32LE(0)).toBe(3);
    expect(data[12]).toBe(1);
    expect(getAddressDecoder().decode(data.subarray(13, 45))).toBe(upgradeAuthority.address);
    expect(data.subarray(45).equals(Buffer.from(so))).toBe(true);

    const signature = await land(net, [payer], [memoInstruction('by my own copy', program)]);
    net.advanceSlots(1);
    const landed = await net.rpc
      .getTransaction(signature, {
        encoding: 'json',
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(landed!.meta!.logMessages).toContain('Program log: by my own copy');
  });

  it('is not there as of a slot before it', async () => {
    const { program } = await deploy(await codeOf(MEMO));
    const { value } = await net.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const signed = await sign(net, [payer], [memoInstruction('hi', program)], { blockhash: value.blockhash });
    const simulate = async () =>
      (await net.rpc.simulateTransaction(signed.wire, { encoding: 'base64', commitment: 'confirmed' }).send())
        .value.err;
    expect(await simulate()).toBe('ProgramAccountNotFound');
    net.advanceSlots(1);
    expect(await simulate()).toBeNull();
    await sendRaw(net, signed);
    expect((await statusOf(net, signed.signature))?.err).toBeNull();
  });

  it('runs in the next run of a chain that is kept', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deployed-'));
    try {
      const journal = join(folder, 'chain');
      const first = stillLocalnet({ journal });
      const rich = await fundedWallet(first);
      const so = await codeOf(MEMO);
      const { program } = await deployProgram({
        rpc: first.rpc,
        payer: rich,
        programKeypair,
        upgradeAuthority,
        so,
        commitment: 'processed',
      });
      await first.stop();
      const next = stillLocalnet({ journal });
      await land(next, [rich], [memoInstruction('still there', program)]);
      await next.stop();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('waits for its confirmation on a cluster that runs, over HTTP', async () => {
    const running = Localnet.start({ slotMs: 20 });
    const { url } = await running.listen({ port: 0 });
    const rich = await fundedWallet(running);
    const so = await codeOf(ASSOCIATED_TOKEN);
    const { slot, transactions } = await deployProgram({
      rpc: createSolanaRpc(url as never),
      payer: rich,
      programKeypair,
      upgradeAuthority: rich,
      so,
    });
    expect(running.slot).toBeGreaterThan(slot);
    expect(transactions).toBe(2 + Math.ceil(so.length / 1011));
    await running.stop();
  });

  it('refuses what is no program before it sends anything', async () => {
    const so = await codeOf(MEMO);
    const wrongMachine = Uint8Array.from(so);
    wrongMachine[18] = 62;
    for (const bytes of [
      new Uint8Array(),
      new TextEncoder().encode('#!/bin/sh'),
      so.subarray(0, 40),
      wrongMachine,
    ]) {
      await expect(deploy(bytes)).rejects.toMatchObject({ name: 'DeployError', code: 'NOT_A_PROGRAM' });
    }
    expect(await net.rpc.getTransactionCount().send()).toBe(0n);
  });

  it('says why the loader refuses a broken program, and leaves no program', async () => {
    const broken = Uint8Array.from(await codeOf(MEMO));
    broken.fill(0xff, 64, 200);
    const error = await deploy(broken).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'REFUSED' });
    expect((error as { logs: string[] }).logs.length).toBeGreaterThan(0);
    const { value } = await net.rpc
      .getAccountInfo(programKeypair.address, { encoding: 'base64', commitment: 'processed' })
      .send();
    expect(value).toBeNull();
  });

  it('refuses an address that is taken, and a payer without means', async () => {
    const so = await codeOf(MEMO);
    await deploy(so);
    await expect(deploy(so)).rejects.toMatchObject({ code: 'ALREADY_DEPLOYED' });
    const poor = await fundedWallet(net, SOL / 100n);
    const options = {
      rpc: net.rpc,
      payer: poor,
      programKeypair: await generateKeyPairSigner(),
      upgradeAuthority,
      so,
    };
    await expect(deployProgram(options)).rejects.toMatchObject({ code: 'REFUSED' });
  });

  it('gives up when its transactions never land', async () => {
    net.dropTransactions(true);
    const rpc = watched((method) => {
      if (method === 'getSignatureStatuses') net.advanceSlots(152);
    });
    const so = await codeOf(MEMO);
    const options = { rpc, payer, programKeypair, upgradeAuthority, so };
    await expect(deployProgram(options)).rejects.toMatchObject({ code: 'EXPIRED' });
  });

  it('stops when told to', async () => {
    const controller = new AbortController();
    const rpc = watched((method) => {
      if (method === 'getBlockHeight') controller.abort(new Error('enough'));
    });
    net.dropTransactions(true);
    const so = await codeOf(MEMO);
    const options = { rpc, payer, programKeypair, upgradeAuthority, so, signal: controller.signal };
    await expect(deployProgram(options)).rejects.toThrow('enough');
  });

  it('sends again what was lost on the way', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    let sent = 0;
    const rpc = watched((method) => {
      if (method === 'sendTransaction') net.dropTransactions(++sent % 2 === 1);
      // Time passes between polls only, and then more than a wait for sending again takes.
      if (method === 'getBlockHeight') setImmediate(() => vi.isFakeTimers() && vi.advanceTimersByTime(2_100));
    });
    const so = await codeOf(MEMO);
    const options = { rpc, payer, programKeypair, upgradeAuthority, so, commitment: 'processed' } as const;
    const { transactions } = await deployProgram(options);
    expect(sent).toBeGreaterThan(transactions);
  });

  it.each([
    ['code', 45],
    ['upgrade authority', 13],
  ])('refuses a cluster that holds another %s', async (_, offset) => {
    const programData = await findProgramDataAddress(programKeypair.address);
    const rpc = watched(undefined, (method, params, response) => {
      if (method !== 'getAccountInfo' || params[0] !== programData) return;
      const { data } = (response as { result: { value: { data: string[] } } }).result.value;
      const bytes = Buffer.from(data[0]!, 'base64');
      bytes[offset]! ^= 1;
      data[0] = bytes.toString('base64');
    });
    const so = await codeOf(MEMO);
    const options = { rpc, payer, programKeypair, upgradeAuthority, so, commitment: 'processed' } as const;
    await expect(deployProgram(options)).rejects.toMatchObject({ code: 'MISMATCH' });
  });
});

/** An RPC of the cluster that tells of each call before it is made, and shows each answer after. */
function watched(
  before?: (method: string) => void,
  after?: (method: string, params: unknown[], response: unknown) => void,
) {
  return createSolanaRpcFromTransport((async (request: Parameters<RpcTransport>[0]) => {
    const { method, params } = request.payload as { method: string; params: unknown[] };
    before?.(method);
    const response = await net.transport(request);
    after?.(method, params, response);
    return response;
  }) as RpcTransport);
}
