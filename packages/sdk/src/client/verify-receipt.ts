import { checkObject } from '../lib/check-arguments.ts';
import type { VerifyReceiptOptions } from '../receipt/check-receipt.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { loadChain } from './load-chain.ts';

/**
 * Checks a receipt against an RPC and returns it, typed and frozen (SPEC.md sections 3 and 4). Checks the cluster, the
 * finalized transaction without error, its slot, the wallet's signature over its message, and its digest, memo and action.
 * The issuer of a receipt is not trusted. The RPC is trusted only about what is final: it cannot show a message that the
 * wallet did not sign.
 *
 * @param receipt its JSON text, or the object
 * @throws ServiceError RECEIPT_INVALID with the wrong field, RPC_ERROR, ABORTED
 * @example
 * const receipt = await verifyReceipt(await readFile('receipt.json', 'utf8'), { rpc: createSolanaRpc(url) });
 */
export async function verifyReceipt(receipt: unknown, options: VerifyReceiptOptions): Promise<Receipt> {
  checkObject('options', options, 'an object: { rpc }');
  checkObject('rpc', options.rpc, 'what createSolanaRpc(url) of @solana/kit returns');
  // The check needs kit's codecs. A page that only shows receipts does not load them.
  const { checkReceipt } = await loadChain(options);
  return checkReceipt(receipt, options);
}
