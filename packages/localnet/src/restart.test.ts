/** A chain that continues after its process ended. The journal file at that moment is what a kill would leave. */
import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withFileSizeLimit } from '../test/support/full-disk.ts';
import {
  createMint,
  memoInstruction,
  ownerGuard,
  SOL,
  type StillLocalnet,
  stillLocalnet,
  tokenAccountOf,
  transferInstruction,
} from '../test/support/index.ts';
import { TOKEN_2022_PROGRAM } from './chain/addresses.ts';
import { addStandInGuardProgram, type LocalnetOptions } from './index.ts';

let folder: string;
/** The journal file of every run. */
let files: Map<StillLocalnet, string>;
/** The wall clock of every run, in milliseconds. */
let now: number;
let first: StillLocalnet;
let payer: KeyPairSigner;
let other: Address;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'restart-'));
  files = new Map();
  now = 1_700_000_000_000;
  first = start();
  payer = await first.wallet();
  other = (await generateKeyPairSigner()).address;
});
afterEach(async () => {
  await Promise.all([...files.keys()].map((net) => net.stop()));
  rmSync(folder, { recursive: true });
});

function start(options: LocalnetOptions = {}, journal = join(folder, 'chain')): StillLocalnet {
  const net = stillLocalnet({ finalitySlots: 4, journal, now: () => now, ...options });
  files.set(net, journal);
  return net;
}

const sizeOf = (net: StillLocalnet) => statSync(files.get(net)!).size;

/** Starts from the file that a kill of a run would leave now. `bytes` makes the file shorter. */
function startAfterKillOf(net: StillLocalnet, bytes = sizeOf(net)): StillLocalnet {
  const left = join(folder, `left-${files.size}`);
  copyFileSync(files.get(net)!, left);
  truncateSync(left, bytes);
  return start({}, left);
}

const transfer = (to: Address, amount = SOL) => transferInstruction(payer.address, to, amount);

/** Sends a transfer that the payer cannot afford. It lands and fails. */
const overdraw = async (to: Address) =>
  first.sendRaw(await first.sign([payer], [transfer(to, 1_000n * SOL)]));

async function historyOf(net: StillLocalnet, of: Address) {
  const entries = await net.rpc.getSignaturesForAddress(of).send();
  return entries.map(({ confirmationStatus: _, ...entry }) => entry);
}

it('has blocks of this run only, and the first one names the last slot before', async () => {
  const earlier = Number(first.slot);
  await first.land([payer], [transfer(other)]);
  first.advanceSlots(2);
  const next = startAfterKillOf(first);
  const blockOf = (slot: number) =>
    next.handle({ jsonrpc: '2.0', id: 1, method: 'getBlock', params: [slot] });
  expect(blockOf(earlier)).toMatchObject({ error: { code: -32007 } });
  const root = Number(next.slot) - 1;
  const { result } = blockOf(root) as { result: { parentSlot: bigint; previousBlockhash: string } };
  expect(result.parentSlot).toBeLessThan(root - 150);
  expect(result.previousBlockhash).toBe('1'.repeat(32));
  expect(blockOf(root - 1)).toMatchObject({ error: { code: -32007 } });
  await expect(next.rpc.getBlockTime(BigInt(root - 1)).send()).rejects.toThrow('skipped');
});

describe('a chain after a kill', () => {
  it('has its accounts, tokens, transactions and statuses, and continues', async () => {
    const mint = await createMint(first, payer, { program: TOKEN_2022_PROGRAM });
    const account = await tokenAccountOf(TOKEN_2022_PROGRAM, mint, payer.address);
    const moved = await first.land([payer], [transfer(other), memoInstruction('one')]);
    first.advanceSlots(1);
    const failed = await overdraw(other);
    const given = await first.rpc.requestAirdrop(other, SOL as never).send();
    first.advanceSlots(4);
    const [faucet] = (await first.transactionOf(given, 'finalized')).transaction.message.accountKeys;
    const landed = await first.transactionOf(moved, 'finalized');
    const left = await first.balanceOf(payer.address);

    const second = startAfterKillOf(first);
    expect(second.genesisHash).toBe(first.genesisHash);
    expect(await second.balanceOf(other, 'finalized')).toBe(2n * SOL);
    expect(await second.balanceOf(payer.address, 'finalized')).toBe(left);
    expect(await second.balanceOf(faucet!)).toBe(await first.balanceOf(faucet!));
    expect((await second.rpc.getTokenSupply(mint).send()).value.amount).toBe('1500000');
    const { value: held } = await second.rpc
      .getTokenAccountsByOwner(payer.address, { programId: TOKEN_2022_PROGRAM }, { encoding: 'base64' })
      .send();
    expect(held.map(({ pubkey }) => pubkey)).toEqual([account]);
    expect(await second.transactionOf(moved, 'finalized')).toEqual(landed);
    expect(await historyOf(second, payer.address)).toEqual(await historyOf(first, payer.address));
    const err = { InstructionError: [0n, { Custom: 1n }] };
    expect((await second.statusOf(failed))?.err).toEqual(err);
    const count = (net: StillLocalnet) => net.rpc.getTransactionCount().send();
    expect(await count(second)).toBe(await count(first));

    await second.land([payer], [transfer(other)]);
    expect(await startAfterKillOf(second).balanceOf(other)).toBe(3n * SOL);
  });

  it('reports the last landed transaction as final, with a recent status', async () => {
    const signature = await first.land([payer], [memoInstruction('last')]);
    const second = startAfterKillOf(first);
    expect(await second.statusOf(signature)).toMatchObject({ confirmationStatus: 'finalized', err: null });
    second.advanceSlots(20);
    expect(await second.statusOf(signature)).not.toBeNull();
  });

  it('continues after every slot and blockhash of earlier runs, at a later time', async () => {
    const before = sizeOf(first);
    first.advanceSlots(1_000);
    // Empty slots take almost no space.
    expect(sizeOf(first) - before).toBeLessThan(20 * 100);
    first.setTime(2_000_000_000);
    first.advanceSlots(63);
    const { value: old } = await first.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
    const signed = await first.sign([payer], [memoInstruction('too late')]);

    now += 60_000;
    const second = startAfterKillOf(first);
    expect(second.slot).toBeGreaterThan(first.slot);
    expect(second.time).toBe(2_000_000_060);
    const { blockHeight } = await second.rpc.getEpochInfo({ commitment: 'finalized' }).send();
    expect(blockHeight).toBeGreaterThan(old.lastValidBlockHeight);
    expect((await second.rpc.isBlockhashValid(old.blockhash).send()).value).toBe(false);
    await second.sendRaw(signed);
    expect(await second.statusOf(signed.signature)).toBeNull();
    expect(await second.rpc.getBlockTime(1000n).send()).toBe(1_700_000_000n);
    // Chain time does not go back with the wall clock.
    now -= 3_600_000;
    expect(startAfterKillOf(second).time).toBeGreaterThanOrEqual(second.time);
  });

  it('has the state after one of its changes, wherever the file ends', async () => {
    const others = await Promise.all([0, 1, 2].map(async () => (await generateKeyPairSigner()).address));
    const look = async (net: StillLocalnet) => ({
      balances: await Promise.all([payer.address, ...others].map((of) => net.balanceOf(of))),
      count: await net.rpc.getTransactionCount({ commitment: 'processed' }).send(),
    });
    const states = [{ size: sizeOf(first), seen: await look(first) }];
    const change = async (what: () => unknown) => {
      await what();
      states.push({ size: sizeOf(first), seen: await look(first) });
    };
    await change(() => first.airdrop(payer.address, 10n * SOL));
    for (const other of others) {
      await change(() => first.land([payer], [transfer(other)]));
      await change(() => first.advanceSlots(3));
      await change(() => overdraw(other));
    }
    const { size } = states.at(-1)!;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: states[0]!.size, max: size }), async (bytes) => {
        const net = startAfterKillOf(first, bytes);
        expect(await look(net)).toEqual(states.findLast((state) => state.size <= bytes)!.seen);
      }),
      { numRuns: 12, examples: [[size], [size - 1]] },
    );
  });
});

it('a program that is added in each run is in the file once, and runs', async () => {
  // The first run had no program.
  const second = startAfterKillOf(first);
  const before = sizeOf(second);
  addStandInGuardProgram(second);
  expect(sizeOf(second) - before).toBeGreaterThan(20_000);
  const guard = ownerGuard(payer.address);
  await second.land([payer], [guard]);
  const third = startAfterKillOf(second);
  const size = sizeOf(third);
  addStandInGuardProgram(third);
  expect(sizeOf(third)).toBe(size);
  await third.land([payer], [guard]);
});

describe('a chain that was stopped', () => {
  it('continues in the next run, and accepts no changes in between', async () => {
    await first.stop();
    await expect(first.land([payer], [memoInstruction('after')])).rejects.toThrow('cannot be written');
    const second = start();
    // It skips only the slots in which a blockhash of the first run was valid.
    expect(second.slot).toBe(first.slot + 152n);
    expect(await second.balanceOf(payer.address)).toBe(10n * SOL);
  });

  it('is rejected by another cluster', async () => {
    await first.stop();
    const message = /chain belongs to the cluster \w+, not to \w+. Choose another folder/;
    expect(() => start({ seed: 'other' })).toThrow(message);
  });
});

it('accepts no change that it cannot write, and continues once there is space', async () => {
  const balances = () => Promise.all([payer.address, other].map((of) => first.balanceOf(of)));
  const look = async () => [await balances(), first.slot, first.time];
  const signed = await first.sign([payer], [transfer(other)]);
  const before = await look();
  await withFileSizeLimit(sizeOf(first) + 10, async () => {
    await expect(first.sendRaw(signed)).rejects.toThrow(/cannot be written. .*: EFBIG/);
    expect(() => first.airdrop(other, SOL)).toThrow('EFBIG');
    expect(() => first.advanceSlots(100)).toThrow('EFBIG');
    expect(() => first.setTime(1)).toThrow('EFBIG');
    expect(await look()).toEqual(before);
    expect(await first.statusOf(signed.signature)).toBeNull();
  });
  await first.sendRaw(signed);
  expect(await startAfterKillOf(first).balanceOf(other)).toBe(SOL);
});
