import type { LandedTransaction } from '../chain/history.ts';
import type { Commitment } from '../chain/slots.ts';
import { invalidParams, RpcError } from './errors.ts';
import { contextSlot, type RpcMethods, type RpcNode, withContext } from './node.ts';
import { asInteger, asSignature, type Options } from './params.ts';
import { encodeTransaction, metaOf } from './transaction-encoding.ts';

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
    const newestFirst = node.chain.history.of(address).toReversed();
    return page(newestFirst, readSignature(options, 'before'), readSignature(options, 'until'))
      .filter((landed) => landed.slot <= slot)
      .slice(0, limit)
      .map((landed) => ({
        signature: landed.signature,
        slot: landed.slot,
        err: landed.err,
        memo: landed.memo,
        blockTime: node.chain.slots.timeOf(landed.slot),
        confirmationStatus: node.chain.slots.commitmentOf(landed.slot),
      }));
  },

  getTransaction(node, params) {
    const signature = asSignature(params.value(0));
    // In old versions of this method, the second argument is the encoding.
    const legacy = typeof params.valueOrNull(1) === 'string';
    const options = params.options(legacy ? 2 : 1);
    const encoding = legacy ? params.string(1) : (options.string('encoding') ?? 'json');
    const slot = contextSlot(node, options, historyCommitment(options));
    const landed = node.chain.history.get(signature);
    if (!landed || landed.slot > slot) return null;
    checkVersion(landed, options);
    return {
      slot: landed.slot,
      blockTime: node.chain.slots.timeOf(landed.slot),
      transaction: encodeTransaction(landed, encoding),
      meta: metaOf(landed),
      ...(options.integer('maxSupportedTransactionVersion') === undefined
        ? {}
        : { version: landed.message.version }),
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

/** Returns the transactions between `before` and `until`. An unknown `before` gives none, as on a node. */
function page(newestFirst: readonly LandedTransaction[], before?: string, until?: string) {
  const indexOf = (signature: string) => newestFirst.findIndex((landed) => landed.signature === signature);
  const start = before === undefined ? 0 : indexOf(before) + 1;
  if (before !== undefined && start === 0) return [];
  const end = until === undefined ? -1 : indexOf(until);
  return newestFirst.slice(start, end < 0 ? undefined : end);
}

function readSignature(options: Options, name: string): string | undefined {
  const value = options.string(name);
  return value === undefined ? undefined : asSignature(value);
}

function historyCommitment(options: Options): Commitment {
  const commitment = options.commitment();
  if (commitment === 'processed') {
    throw invalidParams('Method does not support commitment below `confirmed`');
  }
  return commitment;
}

function checkVersion({ message }: LandedTransaction, options: Options): void {
  const supported = options.integer('maxSupportedTransactionVersion');
  if (
    message.version === 'legacy' ||
    (supported !== undefined && asInteger(message.version, 'version') <= supported)
  ) {
    return;
  }
  throw new RpcError(
    'unsupportedTransactionVersion',
    `Transaction version (${message.version}) is not supported by the requesting client. ` +
      `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${message.version}`,
  );
}
