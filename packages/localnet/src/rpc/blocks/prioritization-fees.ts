import type { Address } from '@solana/kit';
import { computeBudgetOf } from '../../chain/fees.ts';
import type { LandedTransaction } from '../../chain/history.ts';
import { writableAccounts } from '../../chain/transaction.ts';
import { invalidParams } from '../errors.ts';
import type { RpcMethods } from '../node.ts';
import { asAddress } from '../params.ts';

const MAX_SLOTS = 150;
const MAX_ACCOUNTS = 128;

/** Methods for the priority fees of transactions that landed. */
export const feeMethods: RpcMethods = {
  getRecentPrioritizationFees({ chain: { slots, history } }, params) {
    const given = params.arrayOrEmpty(0);
    if (given.length > MAX_ACCOUNTS) throw invalidParams(`Too many inputs provided; max ${MAX_ACCOUNTS}`);
    const accounts = given.map(asAddress);
    // A node lists only slots with transactions, and none that is still open.
    return history
      .slots()
      .filter((slot) => slot < slots.open)
      .slice(-MAX_SLOTS)
      .map((slot) => ({ slot, prioritizationFee: feeIn(history.inSlot(slot), accounts) }));
  },
};

/**
 * Returns the lowest price that landed in a slot, in micro-lamports a compute unit. For each account, the lowest price
 * that landed with a write lock of it counts too; the highest of these is the result.
 */
function feeIn(landed: readonly LandedTransaction[], accounts: readonly Address[]): bigint {
  const bids = landed
    .map(({ message, loaded }) => ({
      ...computeBudgetOf(message),
      writable: writableAccounts(message, loaded),
    }))
    .filter(({ units }) => units > 0n);
  const lowest = (of: typeof bids) => of.map(({ price }) => price).reduce(minimum, null) ?? 0n;
  const prices = accounts.map((account) => lowest(bids.filter(({ writable }) => writable.includes(account))));
  return [lowest(bids), ...prices].reduce((a, b) => (a > b ? a : b));
}

function minimum(lowest: bigint | null, price: bigint): bigint {
  return lowest === null || price < lowest ? price : lowest;
}
