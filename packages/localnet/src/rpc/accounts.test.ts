import { errorOf, fundedWallet, land, SOL, stillLocalnet, transferInstruction } from '@service/test-support';
import {
  type Address,
  type Commitment,
  generateKeyPairSigner,
  getAddressDecoder,
  isSolanaError,
  type KeyPairSigner,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
} from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { balanceOf, call, expectError, INVALID_PARAMS } from '../../test/support/rpc.ts';
import {
  ASSOCIATED_TOKEN,
  CLOCK_SYSVAR,
  LOOKUP_TABLES,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  UPGRADEABLE_LOADER,
} from '../chain/addresses.ts';
import type { Localnet } from '../index.ts';

const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

let net: Localnet;
let payer: KeyPairSigner;
let other: Address;

beforeEach(async () => {
  net = stillLocalnet({ finalitySlots: 4 });
  payer = await fundedWallet(net);
  other = (await generateKeyPairSigner()).address;
});

async function balances(of: Address): Promise<bigint[]> {
  return Promise.all(COMMITMENTS.map((commitment) => balanceOf(net, of, commitment)));
}

async function exists(of: Address): Promise<boolean[]> {
  const config = (commitment: Commitment) => ({ commitment, encoding: 'base64' }) as const;
  const reads = COMMITMENTS.map((commitment) => net.rpc.getAccountInfo(of, config(commitment)).send());
  return (await Promise.all(reads)).map(({ value }) => value !== null);
}

describe('reads return the state at their commitment', () => {
  it('creates an account at processed, then confirmed, then finalized', async () => {
    await land(net, [payer], [transferInstruction(payer.address, other, SOL)]);
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
      await land(net, [payer], [transferInstruction(payer.address, other, SOL)]);
      net.advanceSlots(1);
    }
    expect(await balances(other)).toEqual([4n * SOL, 4n * SOL, SOL]);
    net.advanceSlots(2);
    expect(await balances(other)).toEqual([4n * SOL, 4n * SOL, 3n * SOL]);
  });

  it('returns a closed account until its closing is final', async () => {
    const closing = await fundedWallet(net, SOL);
    await land(net, [payer, closing], [transferInstruction(closing.address, payer.address, SOL)]);
    expect(await exists(closing.address)).toEqual([false, true, true]);
    net.advanceSlots(1);
    expect(await exists(closing.address)).toEqual([false, false, true]);
    net.advanceSlots(3);
    expect(await exists(closing.address)).toEqual([false, false, false]);
  });

  it('returns the clock of the slot that is read', async () => {
    const slotOf = async (commitment: Commitment) => {
      const { context, value } = await net.rpc
        .getAccountInfo(CLOCK_SYSVAR, { commitment, encoding: 'base64' })
        .send();
      return [Buffer.from(value!.data[0], 'base64').readBigUInt64LE(), context.slot];
    };
    net.advanceSlots(10);
    expect(await slotOf('processed')).toEqual([net.slot, net.slot]);
    expect(await slotOf('confirmed')).toEqual([net.slot - 1n, net.slot - 1n]);
    expect(await slotOf('finalized')).toEqual([net.slot - 4n, net.slot - 4n]);
  });

  it('lists a program’s accounts at the slot', async () => {
    await land(net, [payer], [transferInstruction(payer.address, other, SOL)]);
    const listed = async (commitment: Commitment) => {
      const config = { commitment, encoding: 'base64', filters: [{ dataSize: 0n }] } as const;
      return (await net.rpc.getProgramAccounts(SYSTEM_PROGRAM, config).send()).some(
        ({ pubkey }) => pubkey === other,
      );
    };
    expect([await listed('processed'), await listed('finalized')]).toEqual([true, false]);
    net.advanceSlots(4);
    expect(await listed('finalized')).toBe(true);
  });

  it('rejects a read with a minimum slot that is not reached', async () => {
    const minContextSlot = net.slot;
    const config = { commitment: 'finalized', encoding: 'base64', minContextSlot } as const;
    const error = await errorOf(net.rpc.getAccountInfo(other, config).send());
    const code = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED;
    expect(isSolanaError(error, code) && error.context.contextSlot).toBe(1000n);
    net.advanceSlots(4);
    expect((await net.rpc.getAccountInfo(other, config).send()).context.slot).toBe(minContextSlot);
  });
});

describe('account encodings', () => {
  it('returns base58, base64 and slices, and base64 for jsonParsed', async () => {
    const { value: base64 } = await net.rpc.getAccountInfo(TOKEN_PROGRAM, { encoding: 'base64' }).send();
    const { value: base58 } = await net.rpc.getAccountInfo(TOKEN_PROGRAM, { encoding: 'base58' }).send();
    const { value: parsed } = await net.rpc.getAccountInfo(TOKEN_PROGRAM, { encoding: 'jsonParsed' }).send();
    const dataSlice = { offset: 4, length: 2 };
    const { value: slice } = await net.rpc
      .getAccountInfo(TOKEN_PROGRAM, { encoding: 'base64', dataSlice })
      .send();
    const data = Buffer.from(base64!.data[0], 'base64');
    expect(data).toHaveLength(36);
    expect(base58!.data[1]).toBe('base58');
    expect(parsed!.data).toEqual(base64!.data);
    expect(Buffer.from(slice!.data[0], 'base64')).toEqual(data.subarray(4, 6));
    expect(slice!.space).toBe(36n);
    expect(base64).toMatchObject({ executable: true, owner: UPGRADEABLE_LOADER });
  });

  it('rejects base58 of more than 128 bytes, and compression', async () => {
    const ask = (encoding: string) => call(net, 'getAccountInfo', ASSOCIATED_TOKEN, { encoding });
    expect(ask('base58')).toMatchObject({ error: { code: -32600 } });
    expect(ask('base64+zstd')).toMatchObject(INVALID_PARAMS);
    expect(ask('hex')).toMatchObject(INVALID_PARAMS);
  });

  it('returns at most 100 accounts at once', async () => {
    const { value } = await net.rpc
      .getMultipleAccounts([TOKEN_PROGRAM, other], { encoding: 'base64' })
      .send();
    expect(value.map((account) => account !== null)).toEqual([true, false]);
    const tooMany = net.rpc.getMultipleAccounts(new Array(101).fill(other)).send();
    await expectError(tooMany, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS);
  });
});

describe('getProgramAccounts', () => {
  it('filters by size and by bytes in base58 and base64, at finalized', async () => {
    const config = { commitment: 'finalized', encoding: 'base64' } as const;
    const all = await net.rpc.getProgramAccounts(UPGRADEABLE_LOADER, config).send();
    const programs = await net.rpc
      .getProgramAccounts(UPGRADEABLE_LOADER, { ...config, filters: [{ dataSize: 36n }] })
      .send();
    const table = programs.find(({ pubkey }) => pubkey === LOOKUP_TABLES)!;
    const data = Buffer.from(table.account.data[0], 'base64');
    expect(all.length).toBeGreaterThan(programs.length);
    for (const [bytes, encoding] of [
      [data.subarray(4).toString('base64'), 'base64'],
      [addressAt(data, 4), 'base58'],
    ] as const) {
      const memcmp = { offset: 4n, bytes: bytes as never, encoding: encoding as never };
      const found = await net.rpc
        .getProgramAccounts(UPGRADEABLE_LOADER, { ...config, filters: [{ memcmp }] })
        .send();
      expect(found.map(({ pubkey }) => pubkey)).toEqual([LOOKUP_TABLES]);
      const shifted = { ...memcmp, offset: 5n };
      expect(
        await net.rpc
          .getProgramAccounts(UPGRADEABLE_LOADER, { ...config, filters: [{ memcmp: shifted }] })
          .send(),
      ).toEqual([]);
    }
  });

  it('finds nothing after the end of an account', async () => {
    const memcmp = { offset: 1_000_000_000n, bytes: '' as never, encoding: 'base58' } as const;
    const config = { encoding: 'base64', filters: [{ memcmp }] } as const;
    expect(await net.rpc.getProgramAccounts(UPGRADEABLE_LOADER, config).send()).toEqual([]);
  });

  it('slices data, and adds the slot if asked', async () => {
    const dataSlice = { offset: 0, length: 4 };
    const config = { encoding: 'base64', commitment: 'finalized', dataSlice, withContext: true } as const;
    const { context, value } = await net.rpc.getProgramAccounts(UPGRADEABLE_LOADER, config).send();
    expect(context.slot).toBe(1000n);
    expect(value.every(({ account }) => Buffer.from(account.data[0], 'base64').length === 4)).toBe(true);
  });

  it('rejects invalid filters', () => {
    const ask = (filters: unknown) =>
      call(net, 'getProgramAccounts', UPGRADEABLE_LOADER, { filters, encoding: 'base64' });
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
      expect(ask(filters), JSON.stringify(filters)).toMatchObject(INVALID_PARAMS);
    }
  });
});

function addressAt(data: Buffer, offset: number): string {
  return getAddressDecoder().decode(data.subarray(offset, offset + 32));
}
