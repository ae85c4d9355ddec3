import type { Address } from '@solana/kit';
import { expect, it } from 'vitest';
import { INVALID_PARAMS, net, other, payer, useCluster } from '../../../test/support/cluster.ts';
import { transferInstruction } from '../../../test/support/index.ts';
import { COMPUTE_BUDGET, SYSTEM_PROGRAM } from '../../chain/addresses.ts';

useCluster();

/** Returns the instruction for a price in micro-lamports a compute unit. */
function priceInstruction(price: number) {
  const data = new Uint8Array(9);
  data[0] = 3;
  new DataView(data.buffer).setBigUint64(1, BigInt(price), true);
  return { programAddress: COMPUTE_BUDGET, data };
}
const SOME = 10_000_000n;
const pay = (price: number, to: Address = other) =>
  net.landByPayer(priceInstruction(price), transferInstruction(payer.address, to, SOME));
const feesOf = async (accounts?: Address[]) =>
  (await net.rpc.getRecentPrioritizationFees(accounts).send()).map(
    ({ prioritizationFee }) => prioritizationFee,
  );

it('returns the lowest price of each closed slot with transactions', async () => {
  await pay(70);
  expect(await feesOf()).toEqual([]);
  net.advanceSlots(3);
  await pay(50);
  await pay(20);
  net.advanceSlots(1);
  await net.landMemo('free');
  net.advanceSlots(1);
  const slots = (await net.rpc.getRecentPrioritizationFees().send()).map(({ slot }) => slot);
  expect(slots).toEqual([net.slot - 5n, net.slot - 2n, net.slot - 1n]);
  expect(await feesOf()).toEqual([70n, 20n, 0n]);
});

it('returns the lowest price for writing the most expensive of the accounts', async () => {
  const [busy, busier] = [await net.wallet(), await net.wallet()];
  await net.land([busy], [priceInstruction(90), transferInstruction(busy.address, other, SOME)]);
  await net.land([busier], [priceInstruction(300), transferInstruction(busier.address, other, SOME)]);
  await pay(10, payer.address);
  net.advanceSlots(1);
  for (const [accounts, fee] of [
    [[], 10n],
    [[other], 90n],
    [[other, busier.address], 300n],
    [[payer.address], 10n],
    // Nothing writes these.
    [[SYSTEM_PROGRAM, COMPUTE_BUDGET], 10n],
  ] as const) {
    expect(await feesOf([...accounts]), String(accounts)).toEqual([fee]);
  }
});

it('counts a failed transaction, and returns the last 150 slots', async () => {
  await net.sendRaw(await net.signByPayer(priceInstruction(5), net.transferOf(10n ** 12n)));
  net.advanceSlots(1);
  expect(await feesOf([other])).toEqual([5n]);
  for (let slot = 0; slot < 150; slot++) {
    await pay(6);
    net.advanceSlots(1);
  }
  expect(await feesOf()).toEqual(Array(150).fill(6n));
});

it('rejects more than 128 accounts, and texts that are not an address', () => {
  for (const accounts of [Array(129).fill(other), ['abc'], other])
    expect(net.call('getRecentPrioritizationFees', accounts)).toMatchObject(INVALID_PARAMS);
});
