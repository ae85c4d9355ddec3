/** The state that the parts of one client share. */
import type { SignedIn } from '@service/contract';
import type { AdditionLimits, PinnedArtifacts } from '@service/protocol';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import type { Api } from '../http/transport.ts';
import type { BoundedMap } from '../lib/bounded-map.ts';
import type { SharedWork } from '../lib/shared-work.ts';
import type { Ledger } from '../operations/ledger.ts';
import type { Chain } from '../rpc/chain-rpc.ts';
import type { SnapshotStore } from './snapshot.ts';

/** The sign-ins of one client: those under way, and the nonces that were signed. */
export interface SignIns {
  readonly underWay: SharedWork<Address, SignedIn>;
  readonly usedNonces: BoundedMap<string, true>;
}

/** The state of one client before it reads the chain: its deployment, its transport, its session. */
export interface ServiceCore extends Chain {
  readonly api: Api;
  /** The caller's own fetch, for the artifacts. If undefined, the one of the machine. */
  readonly fetch: typeof globalThis.fetch | undefined;
  /** Origin of the site, which serves the API and the artifacts. */
  readonly baseUrl: string;
  /** Origin that sign-in messages must name. */
  readonly origin: string;
  /** The store that pages subscribe to. */
  readonly store: SnapshotStore;
  /** The session, which the store shows. */
  readonly session: { wallet: Address | null };
  readonly signIns: SignIns;
  /** Wallets that signed in through this client. Their signatures prove that they are the caller's. */
  readonly ownWallets: Set<Address>;
  /** What wallets may add to a prepared transaction, unless a call says otherwise. */
  readonly additions: AdditionLimits;
  /** The states of this client's operations. */
  readonly ledger: Ledger;
  /** The circuit of the pinned manifest, once that was fetched. */
  circuit: PinnedCircuit | null;
}

/** The circuit that a pinned manifest describes. */
export interface PinnedCircuit extends PinnedArtifacts {
  readonly id: string;
}

/** The state of one client, with its own view of the chain. */
export type ClientCore = ServiceCore;

/**
 * Returns the wallet of the session. Asks the service if this client does not know it, as after a page load.
 *
 * @throws ServiceError AUTHENTICATION_REQUIRED
 */
export async function sessionWallet(core: ServiceCore, signal: AbortSignal | undefined): Promise<Address> {
  if (core.session.wallet) return core.session.wallet;
  const { wallet } = await core.api.call('session', { signal });
  if (!wallet) {
    throw new ServiceError('AUTHENTICATION_REQUIRED', {
      message: 'No wallet is signed in. Call client.authenticate(wallet, genesisHash) first.',
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

/** Returns the error of an operation that was already signed. */
export function alreadySigned(operationId: string): ServiceError {
  return new ServiceError('OPERATION_ALREADY_SIGNED', {
    message: `The operation ${operationId} was already signed and sent. Nothing more was sent. Wait for it with client.waitForOperation('${operationId}').`,
    context: { operationId },
  });
}
