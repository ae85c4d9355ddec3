import { SLOTS_PER_EPOCH } from '../chain/slots.ts';
import { RpcError } from './errors.ts';
import { contextSlot, type RpcMethods } from './node.ts';

/** Methods about the node and its cluster: health, version, slots, epochs and block times. */
export const clusterMethods: RpcMethods = {
  getHealth: () => 'ok',

  getVersion: () => ({ 'solana-core': '1.5.0+litesvm', 'feature-set': 0 }),

  getGenesisHash: (node) => node.genesisHash,

  getSlot: (node, params) => contextSlot(node, params.options(0)),

  getBlockHeight: (node, params) => node.chain.slots.heightOf(contextSlot(node, params.options(0))),

  getTransactionCount: (node) => node.chain.history.count,

  getEpochInfo(node, params) {
    const { slots, history } = node.chain;
    const slot = contextSlot(node, params.options(0));
    return {
      absoluteSlot: slot,
      blockHeight: slots.heightOf(slot),
      epoch: slots.epochOf(slot),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: history.count,
    };
  },

  getBlockTime(node, params) {
    const slot = params.integer(0);
    const { slots, history } = node.chain;
    if (slot < history.firstAvailableBlock) {
      const first = history.firstAvailableBlock;
      throw new RpcError(
        'blockCleanedUp',
        `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`,
      );
    }
    const time = slots.timeOf(slot);
    if (time === null) throw new RpcError('blockNotAvailable', `Block not available for slot ${slot}`);
    return time;
  },

  // A node with the whole history returns 0, like nodes that began at genesis.
  getFirstAvailableBlock: ({ chain: { history, slots } }) =>
    history.firstAvailableBlock === slots.genesisSlot ? 0n : history.firstAvailableBlock,

  minimumLedgerSlot: (node) => node.chain.history.firstAvailableBlock,

  getMinimumBalanceForRentExemption: (node, params) =>
    node.chain.rentExemptMinimum(Number(params.integer(0))),
};
