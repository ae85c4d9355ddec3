import { type Address, type Commitment, getAddressDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { expectError, INVALID_PARAMS, net, other, payer, useCluster } from '../../test/support/cluster.ts';
import { SOL, transferInstruction } from '../../test/support/index.ts';
import {
  ASSOCIATED_TOKEN,
  CLOCK_SYSVAR,
  LOOKUP_TABLES,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  UPGRADEABLE_LOADER,
} from '../chain/addresses.ts';

const FINALIZED = { commitment: 'finalized', encoding: 'base64' } as const;

useCluster({ finalitySlots: 4 });

/** Reads an account. */
const read = (of: Address, config: object = {}) =>
  net.rpc.getAccountInfo(of, { encoding: 'base64' as const, ...config }).send();
/** Lists accounts of the loader of the cluster's programs. */
const listPrograms = (config: object = {}) =>
  net.rpc.getProgramAccounts(UPGRADEABLE_LOADER, { ...FINALIZED, ...config }).send();
const atEach = <T>(look: (commitment: Commitment) => Promise<T>) =>
  Promise.all((['processed', 'confirmed', 'finalized'] as const).map(look));
const balances = (of: Address) => atEach((commitment) => net.balanceOf(of, commitment));
const exists = (of: Address) => atEach(async (commitment) => (await read(of, { commitment })).value !== null);

describe('reads return the state at their commitment', () => {
  it('creates an account at processed, then confirmed, then finalized', async () => {
    await net.landTransfer(SOL);
    expect(await balances(other)).toEqual([SOL, 0n, 0n]);
    expect(await exists(other)).toEqual([true, false, false]);
    net.advanceSlots(1);
    expect(await balances(other)).toEqual([SOL, SOL, 0n]);
    expect(await exists(other)).toEqual([true, true, false]);
    net.advanceSlots(2);
    expect(await balances(other)).toEqual([SOL, SOL, 0n]);
    net.advanceSlots(1);
    expect(await balances(other)).toEqual([SOL, SOL, SOL]);
    expect(await exists(other)).toEqual([true, true, true]);
  });

  it('returns every state in between, one per slot', async () => {
    for (let step = 0; step < 4; step++) {
      await net.landTransfer(SOL);
      net.advanceSlots(1);
    }
    expect(await balances(other)).toEqual([4n * SOL, 4n * SOL, SOL]);
    net.advanceSlots(2);
    expect(await balances(other)).toEqual([4n * SOL, 4n * SOL, 3n * SOL]);
  });

  it('returns a closed account until its closing is final', async () => {
    const closing = await net.wallet(SOL);
    await net.land([payer, closing], [transferInstruction(closing.address, payer.address, SOL)]);
    expect(await exists(closing.address)).toEqual([false, true, true]);
    net.advanceSlots(1);
    expect(await exists(closing.address)).toEqual([false, false, true]);
    net.advanceSlots(3);
    expect(await exists(closing.address)).toEqual([false, false, false]);
  });

  it('returns the clock of the slot that is read', async () => {
    net.advanceSlots(10);
    const reads = await atEach((commitment) => read(CLOCK_SYSVAR, { commitment }));
    const expected = [net.slot, net.slot - 1n, net.slot - 4n];
    expect(reads.map(({ context }) => context.slot)).toEqual(expected);
    const clocks = reads.map(({ value }) => Buffer.from(value!.data[0], 'base64').readBigUInt64LE());
    expect(clocks).toEqual(expected);
  });

  it('lists a program’s accounts at the slot', async () => {
    await net.landTransfer(SOL);
    const listed = async (commitment: Commitment) => {
      const config = { commitment, encoding: 'base64', filters: [{ dataSize: 0n }] } as const;
      const accounts = await net.rpc.getProgramAccounts(SYSTEM_PROGRAM, config).send();
      return accounts.some(({ pubkey }) => pubkey === other);
    };
    expect([await listed('processed'), await listed('finalized')]).toEqual([true, false]);
    net.advanceSlots(4);
    expect(await listed('finalized')).toBe(true);
  });

  it('rejects a read with a minimum slot that is not reached', async () => {
    const minContextSlot = net.slot;
    const config = { commitment: 'finalized', minContextSlot };
    const code = 'SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED';
    await expectError(read(other, config), code, { contextSlot: 1000n });
    net.advanceSlots(4);
    expect((await read(other, config)).context.slot).toBe(minContextSlot);
  });
});

describe('account encodings', () => {
  it('returns base58, base64 and slices, and base64 for jsonParsed', async () => {
    const { value: base64 } = await read(TOKEN_PROGRAM);
    const { value: base58 } = await read(TOKEN_PROGRAM, { encoding: 'base58' });
    const { value: parsed } = await read(TOKEN_PROGRAM, { encoding: 'jsonParsed' });
    const { value: slice } = await read(TOKEN_PROGRAM, { dataSlice: { offset: 4, length: 2 } });
    const data = Buffer.from(base64!.data[0], 'base64');
    expect(data).toHaveLength(36);
    expect(base58!.data[1]).toBe('base58');
    expect(parsed!.data).toEqual(base64!.data);
    expect(Buffer.from(slice!.data[0], 'base64')).toEqual(data.subarray(4, 6));
    expect(slice!.space).toBe(36n);
    expect(base64).toMatchObject({ executable: true, owner: UPGRADEABLE_LOADER });
  });

  it('rejects base58 of more than 128 bytes, and compression', async () => {
    const ask = (encoding: string) => net.call('getAccountInfo', ASSOCIATED_TOKEN, { encoding });
    expect(ask('base58')).toMatchObject({ error: { code: -32600 } });
    expect(ask('base64+zstd')).toMatchObject(INVALID_PARAMS);
    expect(ask('hex')).toMatchObject(INVALID_PARAMS);
  });

  it('returns at most 100 accounts at once', async () => {
    const readAll = (addresses: Address[]) =>
      net.rpc.getMultipleAccounts(addresses, { encoding: 'base64' }).send();
    const { value } = await readAll([TOKEN_PROGRAM, other]);
    expect(value.map((account) => account !== null)).toEqual([true, false]);
    await expectError(readAll(new Array(101).fill(other)), 'SOLANA_ERROR__JSON_RPC__INVALID_PARAMS');
  });
});

describe('getProgramAccounts', () => {
  it('filters by size and by bytes in base58 and base64, at finalized', async () => {
    const all = await listPrograms();
    const programs = await listPrograms({ filters: [{ dataSize: 36n }] });
    const table = programs.find(({ pubkey }) => pubkey === LOOKUP_TABLES)!;
    const data = Buffer.from(table.account.data[0], 'base64');
    expect(all.length).toBeGreaterThan(programs.length);
    for (const [bytes, encoding] of [
      [data.subarray(4).toString('base64'), 'base64'],
      [getAddressDecoder().decode(data.subarray(4, 36)), 'base58'],
    ] as const) {
      const found = (offset: bigint) => listPrograms({ filters: [{ memcmp: { offset, bytes, encoding } }] });
      expect((await found(4n)).map(({ pubkey }) => pubkey)).toEqual([LOOKUP_TABLES]);
      expect(await found(5n)).toEqual([]);
    }
  });

  it('finds nothing after the end of an account', async () => {
    const memcmp = { offset: 1_000_000_000n, bytes: '', encoding: 'base58' };
    expect(await listPrograms({ filters: [{ memcmp }] })).toEqual([]);
  });

  it('slices data, and adds the slot if asked', async () => {
    const dataSlice = { offset: 0, length: 4 };
    const config = { ...FINALIZED, dataSlice, withContext: true } as const;
    const { context, value } = await net.rpc.getProgramAccounts(UPGRADEABLE_LOADER, config).send();
    expect(context.slot).toBe(1000n);
    expect(value.every(({ account }) => Buffer.from(account.data[0], 'base64').length === 4)).toBe(true);
  });

  it('rejects invalid filters', () => {
    for (const filters of [
      [{ memcmp: { offset: 0 } }],
      [{ memcmp: { offset: 0, bytes: '0OIl' } }],
      [{ memcmp: { offset: -1, bytes: '1' } }],
      [{ memcmp: { offset: 0, bytes: 'not base64!', encoding: 'base64' } }],
      [{ memcmp: { offset: 0, bytes: 'AA==', encoding: 'hex' } }],
      [{ unknown: 1 }],
      ['unknown'],
      'dataSize',
      new Array(5).fill({ dataSize: 1 }),
    ]) {
      const response = net.call('getProgramAccounts', UPGRADEABLE_LOADER, { filters, encoding: 'base64' });
      expect(response, JSON.stringify(filters)).toMatchObject(INVALID_PARAMS);
    }
  });
});
