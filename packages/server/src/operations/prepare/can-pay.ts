/** Checks that a wallet can pay. The network drops a transaction whose payer cannot pay the fee, or fails it for the rent. */
import {
  COMPUTE_BUDGET_PROGRAM,
  type ComputeBudget,
  canPay,
  type Funds,
  fundsMessage,
  type PostedIntent,
  priorityFeeLamports,
  readFunds,
  readOperationInstructions,
  SIGNATURE_FEE_LAMPORTS,
} from '@service/protocol';
import { getAddressEncoder } from '@solana/kit';
import { readerAt } from '../../chain-head/index.ts';
import { readWithRent } from '../../chain-index/free-lamports.ts';
import type { OperationRow } from '../../database/schema.ts';
import { invalidRequest } from '../../http/failures/fault.ts';
import type { Service } from '../../service.ts';
import { messageToSign } from '../record.ts';

/** Checks that a wallet can pay fees and rent at confirmed. @throws ServiceFault INVALID_REQUEST, and the errors of the RPC */
export async function assertCanPay(
  service: Pick<Service, 'rpc' | 'settings'>,
  cost: { readonly intent: PostedIntent; readonly priorityFee: bigint },
  signal: AbortSignal,
): Promise<void> {
  const funds = await readFunds(readerAt(service, 'confirmed', signal), cost);
  if (!canPay(funds)) throw invalidRequest(fundsMessage(funds));
}

/**
 * Rejects a wallet that cannot pay the fees of a signed operation at confirmed. The operation would never land, and would
 * stay pending until that is proven. Without enough for the rent, the operation only fails.
 *
 * @throws ServiceFault INVALID_REQUEST, and the errors of the RPC
 */
export async function assertCanPayFee(
  service: Pick<Service, 'rpc'>,
  row: OperationRow,
  signal: AbortSignal,
): Promise<void> {
  const { wallet } = row;
  const { accounts, rent } = await readWithRent(service, [wallet], signal, 'confirmed');
  const balance = accounts[0]?.exists ? accounts[0].lamports : 0n;
  const priorityFee = priorityFeeLamports(budgetOf(messageToSign(row)));
  const funds: Funds = {
    wallet,
    balance,
    fee: SIGNATURE_FEE_LAMPORTS,
    priorityFee,
    rent: 0n,
    minimum: rent(0),
  };
  if (canPay(funds)) return;
  throw invalidRequest(`${fundsMessage(funds)} Then prepare again.`);
}

const COMPUTE_BUDGET_KEY = Buffer.from(getAddressEncoder().encode(COMPUTE_BUDGET_PROGRAM));

function budgetOf(message: Uint8Array): ComputeBudget {
  // A message contains the key of each program that it calls. Most messages set no budget, and decoding takes 0.4 ms.
  if (!Buffer.from(message).includes(COMPUTE_BUDGET_KEY)) return {};
  return readOperationInstructions(message)?.budget ?? {};
}
