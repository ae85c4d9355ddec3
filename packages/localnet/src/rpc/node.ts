import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import type { Faucet } from '../chain/faucet.ts';
import type { Commitment } from '../chain/slots.ts';
import type { TokenView } from '../tokens/parsed-account.ts';
import { invalidParams, RpcError } from './errors.ts';
import type { Options, Params } from './params.ts';

/** The state of one RPC node, for its methods. */
export interface RpcNode {
  chain: Chain;
  faucet: Faucet;
  genesisHash: string;
  /** The validator that leads every slot. */
  leader: Address;
  faults: RpcFaults;
}

/** Faults that a test can set on one node. The chain itself continues. */
export interface RpcFaults {
  /** `unavailable` responds with HTTP 503, `unreachable` closes the connection. */
  availability: 'available' | 'unavailable' | 'unreachable';
  /** Accepts transactions, returns their signature, and drops them. */
  dropTransactions: boolean;
}

/** One JSON-RPC method. It returns a result or throws {@link RpcError}. */
export type RpcMethod = (node: RpcNode, params: Params) => unknown;
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** The version of Agave whose responses this node has. */
const API_VERSION = '4.0.0';

/**
 * Returns the slot that a request reads: the newest one at its commitment. Throws -32016 if that is before the request's
 * `minContextSlot`.
 */
export function contextSlot(node: RpcNode, options: Options, commitment?: Commitment): bigint {
  const slot = node.chain.slots.at(commitment ?? options.commitment());
  const wanted = options.integer('minContextSlot');
  if (wanted !== undefined && slot < wanted) {
    throw new RpcError('minContextSlotNotReached', 'Minimum context slot has not been reached', {
      contextSlot: slot,
    });
  }
  return slot;
}

/** Reads the commitment of a method for landed transactions. Throws -32602 for `processed`. */
export function historyCommitment(options: Options): Commitment {
  const commitment = options.commitment();
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return commitment;
}

/** Wraps a value with the slot at which it was read. */
export function withContext<T>(slot: bigint, value: T) {
  return { context: { apiVersion: API_VERSION, slot }, value };
}

/** Returns the accounts and the time of a slot, to parse token accounts with. */
export function tokenViewAt({ chain }: RpcNode, slot: bigint): TokenView {
  return { read: (address) => chain.account(address, slot), time: chain.slots.timeOf(slot) ?? 0 };
}
