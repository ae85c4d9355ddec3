import {
  AccountRole,
  type Address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
  type Instruction,
} from '@solana/kit';
import { expect, it } from 'vitest';
import { net, other, payer, useCluster } from '../test/support/cluster.ts';
import { SOL } from '../test/support/index.ts';
import { LOOKUP_TABLES, SYSTEM_PROGRAM } from './chain/addresses.ts';

useCluster();

const u64 = (value: bigint) => new Uint8Array(getU64Encoder().encode(value));
const encode = (address: Address) => new Uint8Array(getAddressEncoder().encode(address));

/** Creates a lookup table with some addresses. */
async function makeTable(listed: Address[]): Promise<Address> {
  const recentSlot = net.slot - 1n;
  const seeds = [encode(payer.address), u64(recentSlot)];
  const [table, bump] = await getProgramDerivedAddress({ programAddress: LOOKUP_TABLES, seeds });
  const instruction = (data: number[]): Instruction => ({
    programAddress: LOOKUP_TABLES,
    accounts: [
      { address: table, role: AccountRole.WRITABLE },
      { address: payer.address, role: AccountRole.READONLY_SIGNER },
      { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
    ],
    data: new Uint8Array(data),
  });
  await net.landByPayer(
    instruction([0, 0, 0, 0, ...u64(recentSlot), bump]),
    instruction([2, 0, 0, 0, ...u64(BigInt(listed.length)), ...listed.flatMap((each) => [...encode(each)])]),
  );
  return table;
}

it('loads accounts from lookup tables at the slot of the table', async () => {
  const table = await makeTable([other]);
  const tables = { [table]: [other] };
  const { wire, signature } = await net.sign([payer], [net.transferOf(SOL)], {
    commitment: 'confirmed',
    tables,
  });
  const config = { encoding: 'base64', commitment: 'confirmed' } as const;
  const simulate = () => net.call('simulateTransaction', wire, config);
  const failure = (reason: string) => ({
    error: { code: -32602, message: `invalid transaction: ${reason}` },
  });
  expect(simulate()).toMatchObject(failure("Transaction loads an address table account that doesn't exist"));
  net.advanceSlots(1);
  // An address can be used from the slot after the one that added it.
  expect(simulate()).toMatchObject(failure('Transaction address table lookup uses an invalid index'));
  net.advanceSlots(1);
  expect(simulate()).toMatchObject({
    result: { value: { err: null, loadedAddresses: { writable: [other], readonly: [] } } },
  });

  await net.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  net.advanceSlots(1);
  const landed = await net.transactionOf(signature);
  expect(landed.meta!.err).toBeNull();
  expect(landed.meta!.loadedAddresses).toEqual({ writable: [other], readonly: [] });
  expect(landed.meta!.postBalances).toEqual([expect.any(BigInt), 1n, SOL]);
  expect(landed.transaction.message.accountKeys).toEqual([payer.address, SYSTEM_PROGRAM]);
  expect(await net.balanceOf(other, 'confirmed')).toBe(SOL);
  expect((await net.entriesOf(other))[0]?.signature).toBe(signature);
});
