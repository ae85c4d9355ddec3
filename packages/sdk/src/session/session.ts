/** The session of one client with the service. */
import type { Challenge, SignedIn } from '@service/contract';
import type { Address } from '@solana/kit';
import { isServiceError, ServiceError } from '../errors.ts';
import type { Api } from '../http/transport.ts';
import type { BoundedMap } from '../lib/bounded-map.ts';
import type { CallOptions, Moment } from '../lib/clock.ts';
import type { SharedWork } from '../lib/shared-work.ts';
import type { Chain } from '../rpc/chain.ts';
import type { OtherTabs } from './other-tabs.ts';
import type { SnapshotStore } from './snapshot.ts';

/** A challenge that was checked. */
export interface FetchedChallenge {
  readonly challenge: Challenge;
  /** A moment before the service issued it. */
  readonly since: Moment;
  /** How long it is valid by its own text. */
  readonly lifetimeMs: number;
}

/** The state of a session. */
export interface Session {
  readonly api: Api;
  /** Origin of the site, which serves the API and the artifacts. */
  readonly baseUrl: string;
  /** Origin that sign-in messages must name. */
  readonly origin: string;
  /** The caller's own fetch, for the artifacts. If undefined, the global `fetch`. */
  readonly fetch: typeof globalThis.fetch | undefined;
  /** What pages subscribe to. It has the wallet of the session. */
  readonly snapshot: SnapshotStore;
  /** The tabs that share the cookie of the session. */
  readonly tabs: OtherTabs;
  /** The sign-ins under way. */
  readonly signIns: SharedWork<Address, SignedIn>;
  /** The challenges that were checked ahead of a sign-in. */
  readonly challenges: BoundedMap<Address, FetchedChallenge>;
  /** The nonces that were signed. */
  readonly usedNonces: BoundedMap<string, true>;
  /** Wallets that signed in through this client. Their signatures prove that they are the caller's. */
  readonly ownWallets: Set<Address>;
}

/** A session, and the chain with which the service's answers are compared. */
export interface SessionOnChain {
  readonly session: Session;
  readonly chain: Chain;
}

/**
 * Returns the wallet of the session. Asks the service if this client does not know it, as after a page load.
 *
 * @throws ServiceError AUTHENTICATION_REQUIRED
 */
export async function sessionWallet(session: Session, signal: AbortSignal | undefined): Promise<Address> {
  const wallet = session.snapshot.wallet ?? (await readSession(session, { signal }));
  if (wallet) return wallet;
  throw new ServiceError('AUTHENTICATION_REQUIRED', {
    message: 'No wallet is signed in. Call client.authenticate(wallet, genesisHash) first.',
  });
}

/** Asks the service who is signed in. See `ServiceClient.session`. */
export async function readSession({ api, snapshot }: Session, options: CallOptions): Promise<Address | null> {
  const before = snapshot.wallet;
  const { wallet } = await api.call('session', options);
  // A sign-in or a sign-out in the meantime is newer than this answer.
  if (snapshot.wallet === before) snapshot.wallet = wallet;
  return snapshot.wallet;
}

/** Ends the session. See `ServiceClient.logout`. */
export async function endSession({ api, snapshot, tabs }: Session, options: CallOptions): Promise<void> {
  snapshot.wallet = null;
  await api.call('logout', { body: {}, ...options });
  tabs.notify();
}

/**
 * Returns `ServiceClient.subscribe`. While it has a subscriber, the client asks the service who is signed in after each
 * sign-in and sign-out in another tab.
 */
export function subscribeWithTabs(session: Session): SnapshotStore['subscribe'] {
  let subscribed = 0;
  let leave = () => {};
  let isAsking = false;
  let hasChangedAgain = false;
  const ask = async () => {
    hasChangedAgain = isAsking;
    if (isAsking) return;
    isAsking = true;
    // Without an answer, the next call finds out.
    await readSession(session, {}).catch(() => undefined);
    isAsking = false;
    if (hasChangedAgain) await ask();
  };
  return (listener) => {
    if (subscribed++ === 0) leave = session.tabs.listen(ask);
    const unsubscribe = session.snapshot.subscribe(listener);
    let isOver = false;
    return () => {
      unsubscribe();
      if (!isOver && --subscribed === 0) leave();
      isOver = true;
    };
  };
}

/**
 * Checks that the session still belongs to a wallet: this client or another tab can sign another one in at any time. If the
 * service does not answer, the wallet that this client knows counts.
 *
 * @throws ServiceError WALLET_MISMATCH, ABORTED
 */
export async function checkSession(
  session: Session,
  expected: Address,
  signal: AbortSignal | undefined,
): Promise<void> {
  const received = await readSession(session, { signal }).catch((error: unknown) => {
    if (isServiceError(error, 'ABORTED')) throw error;
    return session.snapshot.wallet;
  });
  if (received !== null && received !== expected) throw otherSession(expected, received);
}

/** A call that acts for a wallet. */
interface ActingCall<T> {
  readonly wallet: Address;
  /** The service's answer. */
  readonly answer: Promise<T>;
  /** Returns the wallet that an answer is about. */
  readonly walletOf: (answer: T) => Address;
}

/**
 * Waits for the service's answer to a call that acts for a wallet. If the service rejects the call, or its answer is about
 * another wallet, checks first whether the session belongs to another wallet, because that is the better explanation:
 * another tab can have signed it in since.
 *
 * @throws ServiceError WALLET_MISMATCH, ABORTED, and what `answer` throws
 */
export async function orOtherSession<T>(
  session: Session,
  { wallet, answer, walletOf }: ActingCall<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    const answered = await answer;
    if (walletOf(answered) !== wallet) await checkSession(session, wallet, signal);
    return answered;
  } catch (error) {
    if (isServiceError(error) && [400, 403, 404, 409].includes(error.status ?? 0))
      await checkSession(session, wallet, signal);
    throw error;
  }
}

/** Returns the error of a session that belongs to another wallet than the one that a call acts for. */
export function otherSession(expected: Address, received: Address): ServiceError {
  return new ServiceError('WALLET_MISMATCH', {
    message: `The session now belongs to ${received}, but the call acts for ${expected}. Sign ${expected} in again with client.authenticate(wallet, genesisHash), or repeat the call with the wallet of the session. This call sent nothing.`,
    context: { expected, received },
  });
}
