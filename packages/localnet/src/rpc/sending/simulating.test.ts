import { type Address, type Blockhash, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  expectError,
  INVALID_PARAMS,
  net,
  other,
  payer,
  useCluster,
  withBytes,
  withWrongSignature,
} from '../../../test/support/cluster.ts';
import { type Signed, SOL } from '../../../test/support/index.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, UPGRADEABLE_LOADER } from '../../chain/addresses.ts';

const OLD_BLOCKHASH = 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT4Zkd3EittNR1W' as Blockhash;
const FEE = 5_000n;

useCluster();

describe('simulateTransaction', () => {
  const simulate = (wire: Signed['wire'], config: object) =>
    net.rpc
      .simulateTransaction(wire, { encoding: 'base64', commitment: 'processed', ...config } as never)
      .send() as Promise<{
      value: {
        err: unknown;
        logs: string[];
        loadedAccountsDataSize: number;
        accounts: ({ lamports: bigint } | null)[] | null;
        replacementBlockhash: { blockhash: string } | null;
      };
    }>;

  it('returns logs and the accounts after the transaction, without any effect', async () => {
    const { wire } = await net.signTransfer(SOL);
    const accounts = { encoding: 'base64', addresses: [other, payer.address] };
    const { value } = await simulate(wire, { accounts });
    expect(value.err).toBeNull();
    expect(value.logs.at(-1)).toContain('success');
    expect(value.accounts?.map((account) => account?.lamports)).toEqual([SOL, 9n * SOL - FEE]);
    expect(await net.balanceOf(other)).toBe(0n);
  });

  it('returns the fee, the balances and the size of the loaded data, also of a failure', async () => {
    const before = [10n * SOL, 0n, 1n];
    const { space } = (await net.rpc.getAccountInfo(SYSTEM_PROGRAM, { encoding: 'base64' }).send()).value!;
    // The payer and the program exist. Each counts 64 bytes and its data.
    const loadedAccountsDataSize = 2 * 64 + Number(space);
    const shared = { fee: FEE, preBalances: before, loadedAccountsDataSize, preTokenBalances: [] };
    const simulateTransfer = async (lamports: bigint) =>
      (await simulate((await net.signTransfer(lamports)).wire, {})).value;
    expect(await simulateTransfer(SOL)).toMatchObject({ ...shared, postBalances: [9n * SOL - FEE, SOL, 1n] });
    expect(await simulateTransfer(100n * SOL)).toMatchObject({
      ...shared,
      postBalances: [10n * SOL - FEE, 0n, 1n],
    });
    const { wire } = await net.sign([payer], [net.transferOf(SOL)], { blockhash: OLD_BLOCKHASH });
    expect((await simulate(wire, {})).value).toMatchObject({
      err: 'BlockhashNotFound',
      fee: null,
      loadedAccountsDataSize: 0,
      preBalances: before,
      postBalances: before,
    });
  });

  it('counts the code of upgradeable programs as loaded data', async () => {
    const sizeOf = async (address: Address) =>
      Number((await net.rpc.getAccountInfo(address, { encoding: 'base64' }).send()).value!.space) + 64;
    const program = TOKEN_PROGRAM;
    const seeds = [getAddressEncoder().encode(program)];
    const [code] = await getProgramDerivedAddress({ programAddress: UPGRADEABLE_LOADER, seeds });
    const { wire } = await net.signByPayer({ programAddress: program, data: new Uint8Array([255]) });
    const { value } = await simulate(wire, {});
    expect(value.loadedAccountsDataSize).toBe(64 + (await sizeOf(program)) + (await sizeOf(code)));
  });

  it('returns no accounts of a failure, and limits their number and encoding', async () => {
    const accountsOf = async (lamports: bigint, accounts: object) =>
      net.call('simulateTransaction', (await net.signTransfer(lamports)).wire, {
        encoding: 'base64',
        commitment: 'processed',
        accounts,
      });
    const addresses = [other];
    expect(await accountsOf(100n * SOL, { addresses })).toMatchObject({
      result: { value: { accounts: [null] } },
    });
    expect(await accountsOf(SOL, { addresses, encoding: 'base58' })).toMatchObject(INVALID_PARAMS);
    expect(await accountsOf(SOL, { addresses: Array(4).fill(other) })).toMatchObject(INVALID_PARAMS);
  });

  it('does not turn off the check of signatures of sent transactions', async () => {
    const signed = await net.signTransfer(SOL);
    await simulate(signed.wire, {});
    await net.sendRaw(withWrongSignature(signed));
    expect(await net.balanceOf(other)).toBe(0n);
  });

  it('accepts an unsigned transaction with any blockhash if it replaces the blockhash', async () => {
    const signed = await net.sign([payer], [net.transferOf(SOL)], { blockhash: OLD_BLOCKHASH });
    const { wire } = withBytes(signed, (bytes) => bytes.fill(0, 1, 65));
    expect((await simulate(wire, {})).value.err).toBe('BlockhashNotFound');
    const { value } = await simulate(wire, { replaceRecentBlockhash: true });
    expect(value.err).toBeNull();
    expect(value.replacementBlockhash?.blockhash).toBe(
      (await net.rpc.getLatestBlockhash({ commitment: 'processed' }).send()).value.blockhash,
    );
    expect((await simulate(wire, { sigVerify: true })).value).toMatchObject({
      err: 'SignatureFailure',
      fee: null,
      preBalances: null,
    });
    const both = { sigVerify: true, replaceRecentBlockhash: true };
    await expectError(simulate(wire, both), 'SOLANA_ERROR__JSON_RPC__INVALID_PARAMS');
  });
});
