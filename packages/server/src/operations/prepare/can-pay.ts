/** Checks that a wallet can pay the network fee: the cluster drops a transaction whose payer cannot. */
import type { Address } from '@solana/kit';
import { ServiceFault } from '../../http/failures/fault.ts';
import type { Service } from '../../service.ts';

/**
 * Lamports that the network takes for one signature. Messages of operations have exactly one and set no price of their
 * own, so this is their whole fee, and asking the RPC for it would tell the same.
 */
const FEE_LAMPORTS = 5_000n;

/**
 * Rejects a wallet that cannot pay the network fee, at confirmed commitment. Its operation would never land, and the worker
 * would follow it until that is proven.
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
    `The wallet has ${value} lamports, but the network fee is ${FEE_LAMPORTS}. Send SOL to ${wallet}, then prepare again.`,
  );
}
