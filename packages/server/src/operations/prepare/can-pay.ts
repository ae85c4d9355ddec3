/** Checks that a wallet can pay the network fee. The network drops a transaction whose payer cannot pay. */
import type { Address } from '@solana/kit';
import { ServiceFault } from '../../http/failures/fault.ts';
import type { Service } from '../../service.ts';

/**
 * The network fee for one signature, in lamports. The message of an operation has one signature and sets no priority
 * fee, so this is its whole fee.
 */
const FEE_LAMPORTS = 5_000n;

/**
 * Rejects a wallet that cannot pay the network fee at confirmed. Its operation would never land, and would stay pending
 * until that is proven.
 *
 * @throws ServiceFault INVALID_REQUEST, and the errors of the RPC
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
