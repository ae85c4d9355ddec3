import type { RpcNode } from '../rpc/node.ts';
import type { Params } from '../rpc/params.ts';
import type { ChainEvent } from './chain-events.ts';

/** Sends a notification. After the last one, the subscription ends. */
export type Notify = (result: unknown, isLast?: boolean) => void;

/** One subscription of a client. */
export interface Subscription {
  /** The method of its notifications. */
  readonly notification: string;
  /** Notifies of what has already happened. Runs once, after the client has the id of the subscription. */
  start?(notify: Notify): void;
  receive(event: ChainEvent, notify: Notify): void;
}

/** One method that subscribes. It returns the subscription or throws RpcError. */
export type SubscribeMethod = (node: RpcNode, params: Params) => Subscription;

/** Wraps a value with its slot. Notifications have no API version, unlike responses. */
export function atSlot(slot: bigint, value: unknown) {
  return { context: { slot }, value };
}
