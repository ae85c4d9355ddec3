/** Whether a wallet can pay for landing at all: a transaction whose payer cannot is dropped without a trace. */
import type { Address } from '@solana/kit';
import { ServiceFault } from '../../http/failures/fault.ts';
import type { Service } from '../../service.ts';

/**
 * Lamports that the network takes for one signature. Messages of operations have exactly one and set no price of their
 * own, so this is their whole fee, and asking the RPC for it would tell the same.
 */
const FEE_LAMPORTS = 5_000n;

/**
 * Refuses a wallet that cannot pay the network fee, as of confirmed: its operation would never land, and would be looked
 * for until that is proven.
 *
 * @throws ServiceFault INVALID_REQUEST, and what the RPC throws.
 */
export async function assertCanPayFee(
  { rpc }: Pick<Service, 'rpc'>,
  wallet: Address,
  signal: AbortSignal,
): Promise<void> {
  const { value } = await rpc.getBalance(wallet, { commitment: 'confirmed' }).send({ abortSignal: signal });
  if (value >= FEE_LAMPORTS) return;
  throw new ServiceFault(
    'INVALID_REQUEST',
    `The wallet has ${value} lamports and the network fee is ${FEE_LAMPORTS}: fund ${wallet} with SOL for fees, then prepare again.`,
  );
}
