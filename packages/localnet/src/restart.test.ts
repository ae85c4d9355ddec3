/** A chain that continues after its process ended. The journal file at that moment is what a kill would leave. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  errorOf,
  fundedWallet,
  land,
  memoInstruction,
  type Signed,
  SOL,
  sendRaw,
  sign,
  statusOf,
  stillLocalnet,
  transferInstruction,
} from '@service/test-support';
import {
  type Address,
  generateKeyPairSigner,
  type KeyPairSigner,
  lamports,
  type RequestAirdropApi,
  type Rpc,
  type Signature,
} from '@solana/kit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { balanceIn } from '../test/support/cluster.ts';
import { createMint, tokenAccountOf } from '../test/support/tokens.ts';
import { TOKEN_2022_PROGRAM } from './chain/addresses.ts';
import type { Localnet, LocalnetOptions } from './index.ts';

let folder: string;
/** The journal file of every run. */
let files: Map<Localnet, string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restart-'));
  files = new Map();
});
afterEach(async () => {
  await Promise.all([...files.keys()].map((net) => net.stop()));
  rmSync(folder, { recursive: true });
});

function start(options: LocalnetOptions = {}, journal = join(folder, 'chain')): Localnet {
  const net = stillLocalnet({ finalitySlots: 4, journal, ...options });
  files.set(net, journal);
  return net;
}

const sizeOf = (net: Localnet) => statSync(files.get(net)!).size;

/** Starts from the file that a kill of a run would leave now. `bytes` makes the file shorter. */
function startAfterKillOf(net: Localnet, options: LocalnetOptions = {}, bytes = sizeOf(net)): Localnet {
  const left = join(folder, `left-${files.size}`);
  copyFileSync(files.get(net)!, left);
  truncateSync(left, bytes);
  return start(options, left);
}

const FINALIZED = { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 0 } as const;
const transaction = (net: Localnet, signature: Signature) =>
  net.rpc.getTransaction(signature, FINALIZED).send();

/** Sends a transfer that the payer cannot afford. It lands and fails. */
async function overdraw(net: Localnet, payer: KeyPairSigner, to: Address): Promise<Signed> {
  const signed = await sign(net, [payer], [transferInstruction(payer.address, to, 1_000n * SOL)]);
  await sendRaw(net, signed);
  return signed;
}

async function historyOf(net: Localnet, of: Address) {
  const entries = await net.rpc.getSignaturesForAddress(of).send();
  return entries.map(({ confirmationStatus: _, ...entry }) => entry);
}

describe('a chain after a kill', () => {
  it('has its accounts, tokens, transactions and statuses, and continues', async () => {
    const first = start();
    const payer = await fundedWallet(first);
    const { address: other } = await generateKeyPairSigner();
    const mint = await createMint(first, payer, { program: TOKEN_2022_PROGRAM });
    const account = await tokenAccountOf(TOKEN_2022_PROGRAM, mint, payer.address);
    const instructions = [transferInstruction(payer.address, other, SOL), memoInstruction('one')];
    const moved = await land(first, [payer], instructions);
    first.advanceSlots(1);
    const failed = await overdraw(first, payer, other);
    const given = await (first.rpc as unknown as Rpc<RequestAirdropApi>)
      .requestAirdrop(other, lamports(SOL))
      .send();
    first.advanceSlots(4);
    const [faucet] = (await transaction(first, given))!.transaction.message.accountKeys;
    const [landed, left] = [await transaction(first, moved), await balanceIn(first, payer.address)];

    const second = startAfterKillOf(first);
    expect(second.genesisHash).toBe(first.genesisHash);
    expect(await balanceIn(second, other, 'finalized')).toBe(2n * SOL);
    expect(await balanceIn(second, payer.address, 'finalized')).toBe(left);
    expect(await balanceIn(second, faucet!)).toBe(await balanceIn(first, faucet!));
    expect((await second.rpc.getTokenSupply(mint).send()).value.amount).toBe('1500000');
    const { value: held } = await second.rpc
      .getTokenAccountsByOwner(payer.address, { programId: TOKEN_2022_PROGRAM }, { encoding: 'base64' })
      .send();
    expect(held.map(({ pubkey }) => pubkey)).toEqual([account]);
    expect(await transaction(second, moved)).toEqual(landed);
    expect(await historyOf(second, payer.address)).toEqual(await historyOf(first, payer.address));
    const err = { InstructionError: [0n, { Custom: 1n }] };
    expect((await statusOf(second, failed.signature))?.err).toEqual(err);
    const count = (net: Localnet) => net.rpc.getTransactionCount().send();
    expect(await count(second)).toBe(await count(first));

    await land(second, [payer], [transferInstruction(payer.address, other, SOL)]);
    expect(await balanceIn(startAfterKillOf(second), other)).toBe(3n * SOL);
  });

  it('reports the last landed transaction as final, with a recent status', async () => {
    const first = start();
    const payer = await fundedWallet(first);
    const signature = await land(first, [payer], [memoInstruction('last')]);
    const second = startAfterKillOf(first);
    expect(await statusOf(second, signature)).toMatchObject({ confirmationStatus: 'finalized', err: null });
    second.advanceSlots(20);
    expect(await statusOf(second, signature)).not.toBeNull();
  });

  it('continues after every slot and blockhash of earlier runs, at a later time', async () => {
    let now = 1_700_000_000_000;
    const options = { now: () => now };
    const first = start(options);
    const payer = await fundedWallet(first);
    const before = sizeOf(first);
    first.advanceSlots(1_000);
    // Empty slots take almost no space.
    expect(sizeOf(first) - before).toBeLessThan(20 * 100);
    first.setTime(2_000_000_000);
    first.advanceSlots(63);
    const { value: old } = await first.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
    const signed = await sign(first, [payer], [memoInstruction('too late')]);

    now += 60_000;
    const second = startAfterKillOf(first, options);
    expect(second.slot).toBeGreaterThan(first.slot);
    expect(second.time).toBe(2_000_000_060);
    const at = async (commitment: 'processed' | 'finalized') =>
      (await second.rpc.getEpochInfo({ commitment }).send()).blockHeight;
    expect(await at('finalized')).toBeGreaterThan(old.lastValidBlockHeight);
    expect((await second.rpc.isBlockhashValid(old.blockhash).send()).value).toBe(false);
    await sendRaw(second, signed);
    expect(await statusOf(second, signed.signature)).toBeNull();
    expect(await second.rpc.getBlockTime(1000n).send()).toBe(1_700_000_000n);
    // Chain time does not go back with the wall clock.
    now -= 3_600_000;
    expect(startAfterKillOf(second, options).time).toBeGreaterThanOrEqual(second.time);
  });

  it('has the state after one of its changes, wherever the file ends', async () => {
    const first = start();
    const payer = await generateKeyPairSigner();
    const others = await Promise.all([0, 1, 2].map(async () => (await generateKeyPairSigner()).address));
    const look = async (net: Localnet) => ({
      balances: await Promise.all([payer.address, ...others].map((of) => balanceIn(net, of))),
      count: await net.rpc.getTransactionCount({ commitment: 'processed' }).send(),
    });
    const states = [{ size: sizeOf(first), seen: await look(first) }];
    const change = async (what: () => unknown) => {
      await what();
      states.push({ size: sizeOf(first), seen: await look(first) });
    };
    await change(() => first.airdrop(payer.address, 10n * SOL));
    for (const other of others) {
      await change(() => land(first, [payer], [transferInstruction(payer.address, other, SOL)]));
      await change(() => first.advanceSlots(3));
      await change(() => overdraw(first, payer, other));
    }
    const { size } = states.at(-1)!;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: states[0]!.size, max: size }), async (bytes) => {
        const net = startAfterKillOf(first, {}, bytes);
        expect(await look(net)).toEqual(states.findLast((state) => state.size <= bytes)!.seen);
      }),
      { numRuns: 12, examples: [[size], [size - 1]] },
    );
  });
});

describe('a chain that was stopped', () => {
  it('continues in the next run, and accepts no changes in between', async () => {
    const first = start();
    const payer = await fundedWallet(first);
    await first.stop();
    const error = await errorOf(land(first, [payer], [memoInstruction('after')]));
    expect(String(error)).toContain('cannot be written');
    const second = start();
    // It skips only the slots in which a blockhash of the first run was valid.
    expect(second.slot).toBe(first.slot + 152n);
    expect(await balanceIn(second, payer.address)).toBe(10n * SOL);
  });

  it('is rejected by another cluster', async () => {
    await start().stop();
    expect(() => start({ seed: 'other' })).toThrow(
      /chain belongs to the cluster \w+, not to \w+. Choose another folder/,
    );
  });
});

it('accepts no change that it cannot write, and continues once there is space', async () => {
  const net = start();
  const payer = await fundedWallet(net);
  const { address: other } = await generateKeyPairSigner();
  const balances = () => Promise.all([payer.address, other].map((of) => balanceIn(net, of)));
  const look = async () => [await balances(), net.slot, net.time];
  const signed = await sign(net, [payer], [transferInstruction(payer.address, other, SOL)]);
  const before = await look();
  const limit = (bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes}:`]);
  limit(sizeOf(net) + 10);
  try {
    await expect(sendRaw(net, signed)).rejects.toThrow(/cannot be written. .*: EFBIG/);
    for (const change of [() => net.airdrop(other, SOL), () => net.advanceSlots(100), () => net.setTime(1)]) {
      expect(change).toThrow('EFBIG');
    }
    expect(await look()).toEqual(before);
    expect(await statusOf(net, signed.signature)).toBeNull();
  } finally {
    limit('unlimited');
  }
  await sendRaw(net, signed);
  expect(await balanceIn(startAfterKillOf(net), other)).toBe(SOL);
});
