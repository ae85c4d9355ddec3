import { SLOTS_PER_EPOCH } from '../chain/slots.ts';
import { RpcError } from './errors.ts';
import { contextSlot, type RpcMethods } from './node.ts';

/** The largest data of an account: 10 MiB. */
const MAX_ACCOUNT_BYTES = 10n * 1024n * 1024n;

/** Methods about the node and its cluster: health, version, slots and epochs. */
export const clusterMethods: RpcMethods = {
  getHealth: () => 'ok',

  getVersion: () => ({ 'solana-core': '1.5.0+litesvm', 'feature-set': 0 }),

  getGenesisHash: (node) => node.genesisHash,

  getSlotLeader(node, params) {
    contextSlot(node, params.options(0));
    return node.leader;
  },

  getSlot: (node, params) => contextSlot(node, params.options(0)),

  getBlockHeight: (node, params) => node.chain.slots.heightOf(contextSlot(node, params.options(0))),

  getTransactionCount: (node, params) => node.chain.history.countAt(contextSlot(node, params.options(0))),

  getEpochInfo(node, params) {
    const { slots, history } = node.chain;
    const slot = contextSlot(node, params.options(0));
    return {
      absoluteSlot: slot,
      blockHeight: slots.heightOf(slot),
      epoch: slots.epochOf(slot),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: history.countAt(slot),
    };
  },

  // A node with the whole history returns 0, like nodes that began at genesis.
  getFirstAvailableBlock: ({ chain: { history, slots } }) =>
    history.firstAvailableBlock === slots.genesisSlot ? 0n : history.firstAvailableBlock,

  minimumLedgerSlot: (node) => node.chain.history.firstAvailableBlock,

  getMinimumBalanceForRentExemption(node, params) {
    const bytes = params.integer(0);
    if (bytes > MAX_ACCOUNT_BYTES) throw new RpcError('invalidRequest', 'Invalid request');
    return node.chain.rentExemptMinimum(Number(bytes));
  },
};
