/** Converts a requested priority fee to a compute budget, under the caller's cap. */
import type { OperationKind } from '@service/contract';
import { COMPUTE_UNIT_LIMITS, type ComputeBudget, priorityFeeLamports } from '@service/protocol';
import { type Address, isAddress } from '@solana/kit';
import { invalidArgument } from '../../lib/check-arguments.ts';
import type { CallOptions } from '../../lib/clock.ts';
import { type Chain, callRpc } from '../../rpc/chain.ts';
import type { OperationsOnChain } from '../state.ts';
import { type AdditionOptions, type PriorityFeeOptions, readAdditions } from './addition-options.ts';

/** `'auto'` pays what three quarters of the recent slots would have accepted. */
const PERCENT = 75;

/** The operation that pays. */
export interface Payer {
  readonly kind: OperationKind;
  readonly wallet: Address;
  /** The caller's request, whose addresses the transaction uses. */
  readonly request: object;
}

/**
 * Returns the compute budget that the caller asked for, or undefined if the operation pays nothing.
 *
 * @throws ServiceError INVALID_ARGUMENT if the price is above the cap or the cap is missing, RPC_ERROR, ABORTED
 */
export async function askedBudget(
  { chain, operations }: OperationsOnChain,
  { kind, wallet, request }: Payer,
  options: PriorityFeeOptions & AdditionOptions & CallOptions,
): Promise<Required<ComputeBudget> | undefined> {
  const { priorityFee, signal } = options;
  const { maxPriorityFeeLamports: most } = readAdditions(options, operations.additions);
  if (priorityFee === undefined) return undefined;
  const limit = COMPUTE_UNIT_LIMITS[kind];
  if (priorityFee === 'auto') {
    if (most === 0n) {
      throw invalidArgument(
        'maxPriorityFeeLamports',
        `priorityFee: 'auto' pays at most maxPriorityFeeLamports, which is 0. Pass a cap, such as 10_000n.`,
      );
    }
    const addresses = [wallet, ...Object.values(request)].filter(isAddressText);
    const recent = await recentPrice(chain, addresses, signal);
    const highest = (most * 1_000_000n) / BigInt(limit);
    const price = recent < highest ? recent : highest;
    return price > 0n ? { limit, price } : undefined;
  }
  if (typeof priorityFee !== 'bigint' || priorityFee < 0n)
    throw invalidArgument('priorityFee', `priorityFee must be 'auto' or a bigint of micro-lamports.`);
  const fee = priorityFeeLamports({ limit, price: priorityFee });
  if (fee > most) {
    throw invalidArgument(
      'priorityFee',
      `priorityFee would pay ${fee} lamports for priority, which is above maxPriorityFeeLamports (${most}). Pass a lower price or a higher cap.`,
    );
  }
  return priorityFee > 0n ? { limit, price: priorityFee } : undefined;
}

/** Returns the micro-lamports for each compute unit that most of the recent slots would have accepted on these accounts. */
function recentPrice(
  chain: Chain,
  addresses: readonly Address[],
  signal: AbortSignal | undefined,
): Promise<bigint> {
  return callRpc(chain, 'getRecentPrioritizationFees', signal, async (rpc, options) => {
    const slots = await rpc.getRecentPrioritizationFees(addresses).send(options);
    const prices = slots.map(({ prioritizationFee }) => BigInt(prioritizationFee));
    prices.sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
    return prices[Math.floor(((prices.length - 1) * PERCENT) / 100)] ?? 0n;
  });
}

function isAddressText(value: unknown): value is Address {
  return typeof value === 'string' && isAddress(value);
}
