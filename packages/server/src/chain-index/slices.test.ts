import { FIELD_ORDER, fieldToBytes } from '@service/protocol/eligibility';
import { getCredentialEncoder, getPassEncoder, getPlaceEncoder } from '@service/protocol/generated';
import { type Address, generateKeyPairSigner, getAddressEncoder } from '@solana/kit';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resultOf } from '../../test/support/rpc-around.ts';
import { randomAddress, serviceOnChain } from '../../test/support/service-on-chain.ts';
import type { Service } from '../service.ts';
import { findAccounts } from './find.ts';
import { startIndexer } from './indexer.ts';
import { readPosition, readStart } from './position.ts';
import { filtersOf, SLICES } from './slices.ts';

const on = serviceOnChain();
let service: Service;
let credential: Address;
/** Whether two slices have so many accounts that the program must have many. */
let isLarge: boolean;
/** The signatures of the program that the node lists; null for the real ones. */
let listed: ReturnType<typeof changes> | null;

beforeAll(async () => {
  service = on.service.service;
  const { address: wallet } = await generateKeyPairSigner();
  const times = { issuedAt: on.clock.seconds, expiresAt: on.clock.seconds + 100n };
  await on.chain.credential(wallet, times);
  on.chain.net.finalize();
  await step();
  const [found] = await findAccounts(service, 'credential');
  credential = found!.address;
});
beforeEach(async () => {
  isLarge = true;
  on.rpc.calls = [];
  on.rpc.before = () => undefined;
  listed = null;
  on.rpc.after = (method, response, params) => {
    if (method === 'getSignaturesForAddress' && listed) return resultOf(pageOf(listed, params[1] as never));
    const { dataSlice } = (params[1] ?? {}) as { dataSlice?: object };
    if (method !== 'getProgramAccounts' || !dataSlice || !isLarge) return response;
    const { result } = response as { result: { context: object; value: object[] } };
    return resultOf({ ...result, value: Array(20).fill({}) });
  };
  await sql`truncate indexed_account, indexed_signature, index_position`.execute(service.db);
});

const step = () => startIndexer(service).tick();
/** Runs steps until a full reading is complete. A slow machine needs several. */
async function readFully(indexer = startIndexer(service)): Promise<void> {
  do await indexer.tick();
  while ((await readStart(service.db))!.slices_left > 0);
}
const readings = () => on.rpc.calls.filter((method) => method === 'getProgramAccounts').length;
const kinds = async () => {
  const { rows } = await sql<{ kind: string }>`
    select distinct kind from indexed_account order by kind`.execute(service.db);
  return rows.map(({ kind }) => kind);
};

/** Returns what the RPC does before a call: it fails after this many readings of the program. */
function crashAfterReadings(left: number): (method: string) => void {
  let readings = left;
  return (method) => {
    if (method === 'getProgramAccounts' && --readings < 0) throw new Error('The process was killed.');
  };
}

/** Adds passes to the index that are not on chain. The first byte of a wallet takes all values. */
async function addFalsePasses(count: number): Promise<void> {
  const ids = { rule: randomAddress(), circuit: randomAddress(), verifier: randomAddress() };
  const rest = { bump: 255, commitment: new Uint8Array(32).fill(1), issuedAt: 1n, expiresAt: 2n };
  const data = getPassEncoder().encode({ ...ids, ...rest, wallet: randomAddress() });
  await sql`
    insert into indexed_account (address, kind, wallet, issued_at, expires_at, data, lamports, slot)
    select ${randomAddress().slice(0, -4)}::text || translate(lpad(n::text, 4, 'z'), '0', 'z'), 'pass', ${ids.rule}, 1, 2,
      overlay(${new Uint8Array(data)}::bytea placing sha256(n::text::bytea) from 36), 1, 1
    from generate_series(1, ${count}::integer) n`.execute(service.db);
}

describe('a slice', () => {
  it('names the first byte of the wallet, or of the tag of a place', () => {
    const wallet = randomAddress();
    const ofWallet = Buffer.from(getAddressEncoder().encode(wallet));
    const others = { verifier: randomAddress(), commitment: new Uint8Array(32), issuedAt: 1n, expiresAt: 2n };
    const [rule, circuit] = [randomAddress(), randomAddress()];
    const place = (tag: Uint8Array) => {
      const held = { bump: 1, rule, tag, wallet, pass: randomAddress(), since: 1n };
      return [getPlaceEncoder().encode(held), Buffer.from(tag)] as const;
    };
    const encoded = [
      ['pass', getPassEncoder().encode({ bump: 1, rule, wallet, circuit, ...others }), ofWallet],
      ['credential', getCredentialEncoder().encode({ bump: 1, wallet, revoked: false, ...others }), ofWallet],
      ['place', ...place(fieldToBytes(0n))],
      ['place', ...place(fieldToBytes(FIELD_ORDER - 1n))],
    ] as const;
    for (const [kind, bytes, named] of encoded) {
      const data = Buffer.from(bytes);
      const matching = SLICES.filter((slice) =>
        filtersOf(slice).every(({ memcmp: { offset, bytes: wanted } }) =>
          data.subarray(Number(offset)).subarray(0, 1).equals(Buffer.from(wanted, 'base64')),
        ),
      );
      expect(matching.map((slice) => slice.kind)).toEqual([kind]);
      expect(data.subarray(matching[0]!.byte!.offset).subarray(0, 32)).toEqual(named);
    }
  });
});

describe('a program with many accounts', () => {
  it('is read slice by slice, further after a crash, and is visible when every account is found', async () => {
    isLarge = false;
    await step();
    const few = await kinds();
    expect(readings()).toBe(3);
    await sql`truncate indexed_account, indexed_signature, index_position`.execute(service.db);

    isLarge = true;
    on.rpc.before = crashAfterReadings(100);
    await expect(step()).rejects.toThrow('killed');
    const { slices_left } = (await readStart(service.db))!;
    // Two readings found out that there are many. Two others were not written yet, because 16 slices are written at once.
    expect(slices_left).toBe(SLICES.length - 96);
    expect(await readPosition(service.db)).toBeUndefined();

    on.rpc.before = () => undefined;
    on.rpc.calls = [];
    await readFully();
    expect(readings()).toBe(slices_left);
    expect(await kinds()).toEqual(few);
    expect(await readPosition(service.db)).toMatchObject({ slices_left: 0, target_slot: null });
    expect((await findAccounts(service, 'credential')).map(({ address }) => address)).toEqual([credential]);
  });

  it('is read by two processes at once, each slice once', async () => {
    on.rpc.before = crashAfterReadings(10);
    await expect(step()).rejects.toThrow('killed');
    on.rpc.before = () => undefined;
    const first = SLICES.length - 30;
    await sql`update index_position set next_slice = ${first}, slices_left = 30`.execute(service.db);
    await Promise.all([readFully(), readFully()]);
    expect(await readPosition(service.db)).toMatchObject({ slices_left: 0, next_slice: 0 });
  });

  it('is left to another process that moves the position while slices are read', async () => {
    const moved: number[] = [];
    on.rpc.before = async (method) => {
      if (method !== 'getProgramAccounts' || readings() !== 100) return;
      const move = sql<{ slices_left: number }>`
        update index_position set reconciled_at = reconciled_at + 1 returning slices_left`;
      moved.push((await move.execute(service.db)).rows[0]!.slices_left);
    };
    await step();
    expect((await readStart(service.db))!.slices_left).toBe(moved[0]);
    expect(readings()).toBeLessThan(150);
    on.rpc.before = () => undefined;
    await readFully();
    expect(await readPosition(service.db)).toMatchObject({ slices_left: 0, next_slice: 0 });
    expect((await findAccounts(service, 'credential')).map(({ address }) => address)).toEqual([credential]);
  });

  it('is compared with the chain one slice in each step', async () => {
    await readMany();
    const first = SLICES.findIndex(({ kind }) => kind === 'pass');
    await sql`update index_position set next_slice = ${first}`.execute(service.db);
    for (const value of [0, 1]) {
      expect((await passBytes()).has(value)).toBe(true);
      on.chain.net.advanceSlots(1);
      await step();
      expect((await passBytes()).has(value)).toBe(false);
    }
    expect((await passBytes()).has(2)).toBe(true);
    expect(readings()).toBe(2);
  });

  it('keeps up with the changes while a slice cannot be read', async () => {
    await readMany();
    on.rpc.before = (method) => {
      if (method === 'getProgramAccounts') throw new TypeError('fetch failed');
    };
    const before = (await readStart(service.db))!;
    on.chain.net.advanceSlots(5);
    await step();
    const after = (await readStart(service.db))!;
    expect(after.slot).toBeGreaterThan(before.slot);
    expect(after.next_slice).toBe(before.next_slice);
  });

  it('rewrites no row of a slice that did not change', async () => {
    await readMany();
    const { rows } = await sql<{ slot: bigint }>`
      update indexed_account set slot = 1 where kind = 'config' returning slot`.execute(service.db);
    expect(rows).toHaveLength(1);
    on.chain.net.advanceSlots(1);
    await step();
    const config = service.db.selectFrom('indexed_account').select('slot').where('kind', '=', 'config');
    expect(await config.executeTakeFirst()).toEqual({ slot: 1n });
  });

  it('is read in full, slice by slice, if the listing of changes is not complete', async () => {
    listed = changes(await readMany(), 21_000);
    on.chain.net.advanceSlots(20_000);
    on.rpc.before = crashAfterReadings(0);
    await expect(step()).rejects.toThrow('killed');
    expect(await readStart(service.db)).toMatchObject({ slices_left: SLICES.length });
    expect(on.rpc.calls).not.toContain('getTransaction');
  });

  it('is not read in full because of transactions that failed', async () => {
    const before = await readMany();
    listed = changes(before, 2_500, { InstructionError: [0, 'Custom'] });
    on.chain.net.advanceSlots(20_000);
    await step();
    expect(on.rpc.calls.filter((method) => method === 'getSignaturesForAddress')).toHaveLength(3);
    expect(on.rpc.calls).not.toContain('getTransaction');
    const { slot, slices_left } = (await readStart(service.db))!;
    expect([slot, slices_left]).toEqual([before.slot + 20_000n, 0]);
  });

  it('is read in several steps after very many changes, the oldest first', async () => {
    const before = await readMany();
    listed = changes(before, 1_500);
    const { after } = on.rpc;
    on.rpc.after = (method, response, params) =>
      method === 'getTransaction' ? resultOf(EMPTY) : after(method, response, params);
    on.chain.net.advanceSlots(20_000);
    const places = [];
    for (let count = 0; count < 3; count += 1) {
      await step();
      const { slot, time } = (await readStart(service.db))!;
      places.push([slot - before.slot, time - before.time]);
      on.chain.net.advanceSlots(1);
    }
    expect(places).toEqual([
      [350n, 350n],
      [700n, 700n],
      [20_002n, expect.any(BigInt)],
    ]);
    expect(on.rpc.calls.filter((method) => method === 'getTransaction')).toHaveLength(1_500);
    expect(readings()).toBe(3);
  });

  it('is read in full if one slot has very many changes', async () => {
    const before = await readMany();
    listed = changes(before, 1_500).map((each) => ({ ...each, slot: Number(before.slot) + 1 }));
    on.chain.net.advanceSlots(20_000);
    on.rpc.before = crashAfterReadings(0);
    await expect(step()).rejects.toThrow('killed');
    expect(await readStart(service.db)).toMatchObject({ slices_left: SLICES.length });
    expect(on.rpc.calls).not.toContain('getTransaction');
  });

  it('asks again for a page of signatures that the node does not have', async () => {
    const before = await readMany();
    listed = changes(before, 1_500);
    const { after } = on.rpc;
    on.rpc.after = (method, response, params) =>
      (params[1] as { before?: string } | undefined)?.before ? resultOf([]) : after(method, response, params);
    on.chain.net.advanceSlots(20_000);
    await expect(step()).rejects.toThrow('but not those before them');
    expect(await readStart(service.db)).toEqual(before);
  });

  it('is read in full if its changes cannot be indexed for 300 s', async () => {
    const before = await readMany();
    listed = changes(before, 1);
    const { after } = on.rpc;
    on.rpc.after = (method, response, params) =>
      method === 'getTransaction' ? resultOf({ transaction: {} }) : after(method, response, params);
    on.pass(299);
    await expect(step()).rejects.toThrow();
    expect(await readStart(service.db)).toEqual(before);
    on.pass(1);
    on.rpc.before = crashAfterReadings(0);
    await expect(step()).rejects.toThrow('killed');
    expect(await readStart(service.db)).toMatchObject({ slices_left: SLICES.length, slot: before.slot });
  });

  it('asks again for a transaction that the node does not have, and is read in full after 30 s', async () => {
    const before = await readMany();
    listed = changes(before, 1);
    const { after } = on.rpc;
    on.rpc.after = (method, response, params) =>
      method === 'getTransaction' ? resultOf(null) : after(method, response, params);
    on.chain.net.advanceSlots(20_000);
    await expect(step()).rejects.toThrow('does not have a transaction that it listed');
    expect(await readStart(service.db)).toEqual(before);
    on.pass(31);
    on.rpc.before = crashAfterReadings(0);
    await expect(step()).rejects.toThrow('killed');
    expect(await readStart(service.db)).toMatchObject({ slices_left: SLICES.length });
  });
});

/** Returns the first bytes of the wallets of the passes in the index. */
async function passBytes(): Promise<Set<number>> {
  const { rows } = await sql<{ byte: number }>`
    select distinct get_byte(data, 35) as byte from indexed_account where kind = 'pass'`.execute(service.db);
  return new Set(rows.map(({ byte }) => byte));
}

/** A transaction that could write no account. */
const EMPTY = {
  meta: null,
  transaction: {
    message: {
      accountKeys: [],
      header: { numRequiredSignatures: 0, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
    },
  },
};

/** Reads the program, and makes it one with many accounts. Returns the position. */
async function readMany() {
  isLarge = false;
  await step();
  await addFalsePasses(2_100);
  on.rpc.calls = [];
  return (await readStart(service.db))!;
}

/** Returns signatures, the newest first, with two in each slot and each second after a position. */
function changes({ slot, time }: { slot: bigint; time: bigint }, count: number, err: object | null = null) {
  return Array.from({ length: count }, (_, each) => {
    const later = Math.ceil((count - each) / 2);
    return {
      signature: `${each}`.padStart(88, 'z'),
      slot: Number(slot) + later,
      err,
      memo: null,
      blockTime: Number(time) + later,
      confirmationStatus: 'finalized',
    };
  });
}

function pageOf(
  all: ReturnType<typeof changes>,
  { limit, before, until }: { limit: number; before?: string; until?: string },
) {
  const start = all.findIndex(({ signature }) => signature === before) + 1;
  const end = all.findIndex(({ signature }) => signature === until);
  return all.slice(start, end < 0 ? undefined : end).slice(0, limit);
}
