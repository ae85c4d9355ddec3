/** What the parts of one client share. */
import type { SignedIn } from '@service/contract';
import type { Address } from '@solana/kit';
import type { Deployment } from '../deployment.ts';
import { ServiceError } from '../errors.ts';
import type { Api } from '../http/transport.ts';
import type { BoundedMap } from '../lib/bounded-map.ts';
import type { Ledger } from '../operations/ledger.ts';
import type { Chain, ChainRpc } from '../rpc/chain-rpc.ts';
import type { SnapshotStore } from './snapshot.ts';

/** The sign-ins of one client: what is under way, and which nonces were answered. */
export interface SignIns {
  readonly underWay: Map<Address, SharedSignIn>;
  readonly usedNonces: BoundedMap<string, true>;
}

/** A sign-in that several callers may wait for. */
export interface SharedSignIn {
  readonly result: Promise<SignedIn>;
  /** Ends it when nobody waits any more. */
  readonly abandon: () => void;
  waiting: number;
}

/** One client's parts before it has looked at the chain: its pins, its transport, its session. */
export interface ServiceCore {
  readonly deployment: Deployment;
  /** The caller's own RPC; undefined until the chain part makes one at the deployment's rpcUrl. */
  readonly rpc: ChainRpc | undefined;
  readonly api: Api;
  /** Origin of the site, which serves the API and the artifacts. */
  readonly baseUrl: string;
  /** Origin that sign-in messages must name. */
  readonly origin: string;
  /** Unix seconds by this machine's clock. */
  readonly now: () => bigint;
  /** What pages subscribe to. */
  readonly store: SnapshotStore;
  /** The store's session. */
  readonly session: { wallet: Address | null };
  readonly signIns: SignIns;
  /** Wallets that signed in through this client: their signature says that they are the caller's, no server does. */
  readonly ownWallets: Set<Address>;
  /** What this client knows of its operations. */
  readonly ledger: Ledger;
  /** The id of the pinned circuit, once the chain has confirmed it. */
  circuitId: string | null;
}

/** One client's parts with its own view of the chain. */
export type ClientCore = ServiceCore & Chain;

/**
 * The wallet of the session; asked of the service when this client does not know, as after a page load.
 *
 * @throws ServiceError AUTHENTICATION_REQUIRED
 */
export async function sessionWallet(core: ServiceCore, signal: AbortSignal | undefined): Promise<Address> {
  if (core.session.wallet) return core.session.wallet;
  const { wallet } = await core.api.call('session', { signal });
  if (!wallet) {
    throw new ServiceError('AUTHENTICATION_REQUIRED', {
      message: 'No wallet is signed in. Call client.authenticate(wallet, genesisHash) first.',
      context: {},
    });
  }
  core.session.wallet = wallet;
  return wallet;
}

/**
 * Checks that an operation was not signed yet. A second transaction with its memo would hide the outcome of the first.
 *
 * @throws ServiceError OPERATION_ALREADY_SIGNED
 */
export function checkNotSent({ ledger }: ServiceCore, operationId: string): void {
  if (ledger.wasSent(operationId)) throw alreadySigned(operationId);
}

/** Returns the error of an operation that was signed already. */
export function alreadySigned(operationId: string): ServiceError {
  return new ServiceError('OPERATION_ALREADY_SIGNED', {
    message: `The operation ${operationId} was signed and sent already. Nothing more was sent. Wait for it with client.waitForOperation('${operationId}').`,
    context: { operationId },
  });
}
