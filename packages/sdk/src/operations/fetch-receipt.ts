/** Makes the receipt of an operation from what the caller's own RPC shows. */
import type { Operation } from '@service/contract';
import { memoText } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import { isServiceError, ServiceError } from '../errors.ts';
import { unexpected } from '../http/transport.ts';
import { receiptOf } from '../receipt/check-receipt.ts';
import { actionUnder, readLanded } from '../receipt/landed.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { checkGenesisHash } from '../rpc/chain.ts';
import { checkWhich } from './check-which.ts';
import type { ClientState } from './state.ts';
import type { FetchReceiptOptions } from './wait-options.ts';

/** See `ServiceClient.fetchReceipt`. */
export async function fetchReceipt(
  state: ClientState,
  operationId: string,
  { signal, wallet, signature }: FetchReceiptOptions,
): Promise<Receipt> {
  checkWhich(operationId, { wallet, signature });
  const { session, chain, operations } = state;
  const held = operations.ledger.signedOperation(operationId)?.signature;
  const operation = await session.api.call('operation', { id: operationId, signal });
  // A wallet can send what it signed without the service, which then has only the draft.
  const shown = 'signature' in operation ? (operation.signature as Signature) : (held ?? signature);
  if (!shown) throw notFinal(operation, 'the service has no signature for it');
  // A service can give one id to two requests. The receipt describes the transaction that was signed as this operation.
  for (const own of [held, signature]) if (own && own !== shown) throw otherTransaction();
  if (wallet !== undefined || !signature) checkOwner(state, operation, wallet);
  await checkGenesisHash(chain, signal);
  const landed = await readLanded(chain, shown, signal).catch((error: unknown) => {
    throw isServiceError(error, 'RECEIPT_INVALID') ? otherTransaction() : error;
  });
  if (!landed) throw notFinal(operation, 'your own RPC does not show its transaction finalized');
  const action = await actionUnder(chain, chain.deployment.program, landed, signal);
  if (landed.wallet !== operation.wallet || landed.memo !== memoText(operationId) || !action)
    throw otherTransaction();
  if (landed.error) {
    throw new ServiceError('OPERATION_FAILED', {
      message: `The operation ${operationId} failed on chain, so it has no receipt. Nothing changed but the network fee.`,
      context: { operationId, reason: 'ON_CHAIN_ERROR' },
    });
  }
  const fields = [
    ...(operation.kind === action.kind ? [] : ['kind']),
    ...(operation.state !== 'FINALIZED' || operation.slot === landed.slot ? [] : ['slot']),
  ];
  if (fields.length > 0) {
    throw new ServiceError('RECORD_MISMATCH', {
      message: `The service's ${fields.join(', ')} of the operation ${operationId} differ from the chain's. Do not trust this service.`,
      context: { fields },
      retryable: false,
    });
  }
  return receiptOf(landed, action, { ...chain.deployment, operationId });
}

/** Checks the wallet, because a service could land a transaction with the same memo that its own wallet signed. */
function checkOwner(
  { session, operations }: ClientState,
  operation: Operation,
  wallet: Address | undefined,
): void {
  const { operationId } = operation;
  const own = operations.ledger.signedOperation(operationId);
  const isOwn = wallet
    ? operation.wallet === wallet
    : operation.wallet === own?.wallet || session.ownWallets.has(operation.wallet);
  if (isOwn) return;
  throw new ServiceError('WALLET_MISMATCH', {
    message: `The service names ${operation.wallet} as the wallet of ${operationId}, and nothing shows that this wallet signed it. Sign in first with client.authenticate(wallet, genesisHash), or pass the wallet: client.fetchReceipt('${operationId}', { wallet }).`,
    context: { expected: wallet ?? 'a wallet that signed in', received: operation.wallet },
  });
}

function notFinal({ operationId, state }: Operation, why: string): ServiceError {
  return new ServiceError('OUTCOME_UNKNOWN', {
    message: `The operation ${operationId} has no receipt yet: ${why}. Wait first with client.waitForOperation('${operationId}').`,
    context: { operationId, answer: state },
  });
}

function otherTransaction(): ServiceError {
  return unexpected('GET /api/operations/{id}', 'names a transaction of another operation');
}
