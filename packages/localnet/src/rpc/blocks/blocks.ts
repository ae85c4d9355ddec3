import type { LandedTransaction } from '../../chain/history.ts';
import { invalidParams, RpcError } from '../errors.ts';
import { contextSlot, historyCommitment, type RpcMethods, type RpcNode } from '../node.ts';
import type { Options } from '../params.ts';
import { encodeAccountsOf, encodeLanded, readTransactionFormat } from '../transaction-encoding.ts';

/** What a node returns in place of the blockhash of a parent that it does not have. */
const NO_BLOCKHASH = '1'.repeat(32);

const DETAILS = ['full', 'accounts', 'signatures', 'none'] as const;

/** Methods for the blocks of this run. */
export const blockMethods: RpcMethods = {
  getBlock(node, params) {
    const slot = params.integer(0);
    const options = params.encodingOptions(1);
    const encodeAll = readDetails(options);
    const { slots, history } = node.chain;
    if (slot > contextSlot(node, options, historyCommitment(options))) throw notAvailable(slot);
    checkAvailable(node, slot);
    const blockhash = slots.blockhashOf(slot);
    if (blockhash === null) throw skipped(slot);
    const parentSlot = slots.parentOf(slot);
    return {
      previousBlockhash: slots.blockhashOf(parentSlot) ?? NO_BLOCKHASH,
      blockhash,
      parentSlot,
      ...encodeAll(history.inSlot(slot)),
      ...(options.boolean('rewards', true) && { rewards: [] }),
      blockTime: slots.timeOf(slot),
      blockHeight: slots.heightOf(slot),
    };
  },

  getBlockTime(node, params) {
    const slot = params.integer(0);
    const { slots } = node.chain;
    checkAvailable(node, slot);
    const time = slots.timeOf(slot);
    if (time !== null) return time;
    throw slot > slots.at('finalized') ? notAvailable(slot) : skipped(slot);
  },
};

/** Reads `transactionDetails`. Returns a function that makes the members for the transactions of a block. */
function readDetails(options: Options): (landed: readonly LandedTransaction[]) => object {
  const name = options.string('transactionDetails') ?? 'full';
  const details = DETAILS.find((each) => each === name);
  const format = readTransactionFormat(options);
  switch (details) {
    case 'full':
      return (landed) => ({ transactions: landed.map((each) => encodeLanded(each, format)) });
    case 'accounts':
      return (landed) => ({ transactions: landed.map((each) => encodeAccountsOf(each, format)) });
    case 'signatures':
      return (landed) => ({ signatures: landed.map(({ signature }) => signature) });
    case 'none':
      return () => ({});
    case undefined:
      throw invalidParams(
        `Invalid params: unknown variant \`${name}\`, expected one of \`full\`, \`signatures\`, \`none\`, \`accounts\`.`,
      );
  }
}

function checkAvailable({ chain: { history } }: RpcNode, slot: bigint): void {
  const { firstAvailableBlock } = history;
  if (slot >= firstAvailableBlock) return;
  throw new RpcError(
    'blockCleanedUp',
    `Block ${slot} cleaned up, does not exist on node. First available block: ${firstAvailableBlock}`,
  );
}

function notAvailable(slot: bigint): RpcError {
  return new RpcError('blockNotAvailable', `Block not available for slot ${slot}`);
}

function skipped(slot: bigint): RpcError {
  return new RpcError(
    'slotSkipped',
    `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
  );
}
