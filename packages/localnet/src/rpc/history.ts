import type { LandedTransaction } from '../chain/history.ts';
import { invalidParams, RpcError } from './errors.ts';
import { contextSlot, historyCommitment, type RpcMethods, type RpcNode, withContext } from './node.ts';
import { asSignature, type Options } from './params.ts';
import { encodeLanded, readTransactionFormat } from './transaction-encoding.ts';

const MAX_STATUSES = 256;
const MAX_SIGNATURES = 1000;
/** Number of finalized slots in a node's cache of recent statuses. */
const RECENT_STATUS_SLOTS = 300n;

/** Methods for landed transactions that this node still has. */
export const historyMethods: RpcMethods = {
  getSignatureStatuses(node, params) {
    const signatures = params.array(0).map(asSignature);
    if (signatures.length > MAX_STATUSES)
      throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
    const everything = params.options(1).boolean('searchTransactionHistory');
    const { slots, history } = node.chain;
    const recentFrom = slots.at('finalized') - RECENT_STATUS_SLOTS;
    const statuses = signatures.map((signature) => {
      const landed = history.get(signature);
      return landed && (everything || landed.slot >= recentFrom) ? statusOf(node, landed) : null;
    });
    return withContext(slots.open, statuses);
  },

  getSignaturesForAddress(node, params) {
    const address = params.address(0);
    const options = params.options(1);
    const slot = contextSlot(node, options, historyCommitment(options));
    const limit = Number(options.integer('limit') ?? BigInt(MAX_SIGNATURES));
    if (limit < 1 || limit > MAX_SIGNATURES) throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`);
    const { history } = node.chain;
    const [before, until] = [readBound(node, options, 'before'), readBound(node, options, 'until')];
    return history
      .of(address)
      .filter((landed) => landed.slot <= slot)
      .filter((landed) => !before || history.isBefore(landed, before))
      .filter((landed) => !until || history.isBefore(until, landed))
      .toReversed()
      .slice(0, limit)
      .map((landed) => ({
        signature: landed.signature,
        slot: landed.slot,
        err: landed.err,
        memo: landed.memo,
        blockTime: node.chain.slots.timeOf(landed.slot),
        confirmationStatus: node.chain.slots.commitmentOf(landed.slot),
        transactionIndex: history.indexOf(landed),
      }));
  },

  getTransaction(node, params) {
    const signature = asSignature(params.value(0));
    const options = params.encodingOptions(1);
    const slot = contextSlot(node, options, historyCommitment(options));
    const format = readTransactionFormat(options);
    const { history, slots } = node.chain;
    const landed = history.get(signature);
    if (!landed || landed.slot > slot) return null;
    return {
      slot: landed.slot,
      blockTime: slots.timeOf(landed.slot),
      ...encodeLanded(landed, format),
      transactionIndex: history.indexOf(landed),
    };
  },
};

function statusOf(node: RpcNode, { slot, err }: LandedTransaction) {
  const { slots } = node.chain;
  const confirmationStatus = slots.commitmentOf(slot);
  return {
    slot,
    confirmations: confirmationStatus === 'finalized' ? null : slots.open - slot,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus,
  };
}

/** Reads a signature that limits a list. Throws -32020 if this node does not have the transaction. */
function readBound({ chain }: RpcNode, options: Options, name: string): LandedTransaction | null {
  const value = options.string(name);
  if (value === undefined) return null;
  const signature = asSignature(value);
  const landed = chain.history.get(signature);
  if (landed) return landed;
  throw new RpcError('filterTransactionNotFound', `Transaction ${signature} not found`);
}
