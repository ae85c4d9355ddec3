import type { Address } from '@solana/kit';
import { checkObject } from '../lib/check-arguments.ts';
import type { CallOptions } from '../lib/deadline.ts';
import { loadPart } from '../lib/load-chunk.ts';
import type { ChainRpc } from '../rpc/chain-rpc.ts';
import type { Receipt } from './receipt.ts';

/**
 * Options of {@link verifyReceipt} (SPEC.md sections 3 and 4).
 *
 * @inline
 */
export interface VerifyReceiptOptions extends CallOptions {
  /** Any RPC of the cluster that you believe: your own, never one that the receipt's owner names. */
  readonly rpc: ChainRpc;
  /** The program that the receipt must be of; without it compare `program` of the result yourself. */
  readonly program?: Address | undefined;
  /** Called for each check that holds, with a line that says what was checked. */
  readonly onCheck?: ((line: string) => void) | undefined;
}

/**
 * Checks a receipt against an RPC and returns it, typed and frozen (SPEC.md sections 3 and 4): the cluster, a finalized
 * transaction of that signature without error, in that slot, whose message the wallet signed and whose digest, memo and
 * action are those of the receipt. The issuer of a receipt is not believed, and of the RPC only that what it shows is
 * final: it cannot show a message that the wallet did not sign.
 *
 * @param receipt its JSON text, or the object
 * @throws ServiceError RECEIPT_INVALID with the field that is off, RPC_ERROR, ABORTED
 * @example
 * const receipt = await verifyReceipt(await readFile('receipt.json', 'utf8'), { rpc: createSolanaRpc(url) });
 */
export async function verifyReceipt(receipt: unknown, options: VerifyReceiptOptions): Promise<Receipt> {
  checkObject('options', options, 'an object: { rpc }');
  checkObject('rpc', options.rpc, 'what createSolanaRpc(url) of @solana/kit returns');
  // With kit's codecs: a page that only shows receipts loads none of it.
  const { checkReceipt } = await loadPart(() => import('../client/chain-chunk.ts'));
  return checkReceipt(receipt, options);
}
