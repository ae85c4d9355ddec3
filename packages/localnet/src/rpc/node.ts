import type { Chain } from '../chain/chain.ts';
import type { Faucet } from '../chain/faucet.ts';
import type { Commitment } from '../chain/slots.ts';
import { RpcError } from './errors.ts';
import type { Options, Params } from './params.ts';

/** What the methods of one RPC node work on. */
export interface RpcNode {
  chain: Chain;
  faucet: Faucet;
  genesisHash: string;
  faults: RpcFaults;
}

/** What a test may make go wrong at one node; the chain itself goes on. */
export interface RpcFaults {
  /** `unavailable` answers HTTP 503, `unreachable` breaks the connection. */
  availability: 'available' | 'unavailable' | 'unreachable';
  /** Accept transactions, answer their signature, and lose them. */
  dropTransactions: boolean;
}

/** One JSON-RPC method: it answers a result or throws an {@link RpcError}. */
export type RpcMethod = (node: RpcNode, params: Params) => unknown;
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

const API_VERSION = '3.0.0';

/**
 * The slot as of which a request is answered: the newest at its commitment.
 * Throws -32016 when that is before the request's `minContextSlot`.
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

/** Wraps a value with the slot it is as of. */
export function withContext<T>(slot: bigint, value: T) {
  return { context: { apiVersion: API_VERSION, slot }, value };
}
