import { invalidParams, RpcError } from '../rpc/errors.ts';
import { handleCalls, handleText } from '../rpc/json-rpc.ts';
import type { RpcNode } from '../rpc/node.ts';
import type { Params } from '../rpc/params.ts';
import type { ChainEvent } from './chain-events.ts';
import { SUBSCRIBE_METHODS } from './methods.ts';
import type { Subscription } from './subscription.ts';

export interface SessionOptions {
  node: RpcNode;
  maxSubscriptions: number;
  /** Returns an id that no other subscription of the node has. */
  nextId: () => number;
  /** Sends a JSON value to the client. */
  send: (message: unknown) => void;
}

/** The subscriptions of one client, and its requests. */
export class Session {
  readonly #options: SessionOptions;
  readonly #subscriptions = new Map<number, Subscription>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Handles a message of the client. */
  handle(text: string): void {
    const added: number[] = [];
    const response = handleText(text, (payload) =>
      handleCalls(payload, (name) => this.#methodOf(name, added)),
    );
    const isEmpty = response === undefined || (Array.isArray(response) && response.length === 0);
    if (!isEmpty) this.#options.send(response);
    // The client must learn the id before it gets a notification with it.
    for (const id of added) this.#subscriptions.get(id)?.start?.(this.#notifierOf(id));
  }

  /** Notifies the client of an event, if one of its subscriptions is for it. */
  receive(event: ChainEvent): void {
    for (const [id, subscription] of this.#subscriptions) subscription.receive(event, this.#notifierOf(id));
  }

  #methodOf(name: string, added: number[]): ((params: Params) => unknown) | undefined {
    // kit and web3.js send it as a notification, to keep the connection alive.
    if (name === 'ping') return () => null;
    const subscribe = methodNamed(name);
    if (subscribe) {
      return (params) => {
        const id = this.#add(subscribe(this.#options.node, params));
        added.push(id);
        return id;
      };
    }
    if (name.endsWith('Unsubscribe') && methodNamed(name.replace(/Unsubscribe$/, 'Subscribe')))
      return (params) => this.#remove(Number(params.integer(0)));
    return undefined;
  }

  #add(subscription: Subscription): number {
    const { maxSubscriptions, nextId } = this.#options;
    if (this.#subscriptions.size >= maxSubscriptions) {
      throw new RpcError(
        'internalError',
        `Internal Error: Subscription refused. This connection has ${maxSubscriptions} subscriptions, the most that this node allows. Unsubscribe from another one first.`,
      );
    }
    const id = nextId();
    this.#subscriptions.set(id, subscription);
    return id;
  }

  #remove(id: number): true {
    if (!this.#subscriptions.delete(id)) throw invalidParams('Invalid subscription id.');
    return true;
  }

  #notifierOf(id: number) {
    return (result: unknown, isLast = false): void => {
      const subscription = this.#subscriptions.get(id);
      if (!subscription) return;
      if (isLast) this.#subscriptions.delete(id);
      const { notification: method } = subscription;
      this.#options.send({ jsonrpc: '2.0', method, params: { result, subscription: id } });
    };
  }
}

function methodNamed(name: string) {
  return Object.hasOwn(SUBSCRIBE_METHODS, name) ? SUBSCRIBE_METHODS[name] : undefined;
}
