import { feeOf } from '../chain/fees.ts';
import { decodeMessage } from '../chain/transaction.ts';
import { invalidParams } from './errors.ts';
import { contextSlot, type RpcMethods, withContext } from './node.ts';
import { base64Bytes } from './params.ts';

/** Methods for blockhashes and for the fee of a message with a valid blockhash or durable nonce. */
export const blockhashMethods: RpcMethods = {
  getLatestBlockhash(node, params) {
    const slot = contextSlot(node, params.options(0));
    return withContext(slot, node.chain.slots.latestBlockhash(slot));
  },

  isBlockhashValid(node, params) {
    const slot = contextSlot(node, params.options(1));
    return withContext(slot, node.chain.slots.isBlockhashValid(params.address(0), slot));
  },

  getFeeForMessage(node, params) {
    const slot = contextSlot(node, params.options(1));
    const bytes = base64Bytes(params.value(0), 'message');
    let message: ReturnType<typeof decodeMessage>;
    try {
      message = decodeMessage(bytes);
    } catch (error) {
      throw invalidParams(
        `failed to deserialize solana_message::versioned::VersionedMessage: ${String(error)}`,
      );
    }
    return withContext(slot, node.chain.isLive(message, slot) ? feeOf(message) : null);
  },
};
