import { randomBytes } from 'node:crypto';
import {
  type Address,
  createSolanaRpcFromTransport,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import type { AccountState } from './chain/account-versions.ts';
import { LOADER } from './chain/addresses.ts';
import { Chain, type ChainStore } from './chain/chain.ts';
import { Faucet } from './chain/faucet.ts';
import { DEFAULT_SEED, genesisHashOf, leaderOf } from './chain/genesis.ts';
import { MAX_FINALITY_SLOTS } from './chain/slots.ts';
import { type Listener, type ListenOptions, listen } from './http.ts';
import { Journal, JournalError } from './journal/journal.ts';
import { type ChainEntry, readChain } from './journal/saved-chain.ts';
import { handlePayload } from './rpc/handle.ts';
import type { RpcNode } from './rpc/node.ts';
import { SlotTimer } from './slot-timer.ts';
import { type SocketLimits, Sockets } from './subscriptions/sockets.ts';

export interface LocalnetOptions {
  /** Length of a slot in milliseconds, or `manual`: then only `advanceSlots` closes slots. @default 400 */
  slotMs?: number | 'manual';
  /** Number of slots after which a transaction is confirmed, at least 1. @default 1 */
  confirmSlots?: number;
  /** Number of slots after which a transaction is finalized, from confirmSlots to 512. @default 32, as on mainnet */
  finalitySlots?: number;
  /** Seed of the cluster. The same seed gives the same genesis hash and faucet. @default 'localnet' */
  seed?: string;
  /** Genesis hash to use instead of the one from the seed: base58 of 32 bytes. */
  genesisHash?: string;
  /** The finalized slot of genesis. It is not 0, so that a client cannot confuse block height and slot. @default 1000 */
  genesisSlot?: bigint;
  /**
   * File that stores the chain. A run with the same file continues where the last run ended, even if it was killed. Only
   * one process at a time may use the file; the caller must ensure that. @default in memory
   */
  journal?: string | undefined;
  /** Wall clock in milliseconds. Tests can set a fixed time. @default Date.now */
  now?: () => number;
  /** Limits of WebSocket connections to change. */
  socketLimits?: Partial<SocketLimits>;
}

/** A Solana cluster with one node in this process: a JSON-RPC node over litesvm. */
export class Localnet {
  /** A kit transport to this node, for `createSolanaRpcFromTransport`. */
  readonly transport: RpcTransport;
  /** An in-process kit RPC client of this node. */
  readonly rpc: ReturnType<typeof createSolanaRpcFromTransport<RpcTransport>>;
  readonly genesisHash: string;
  readonly #chain: Chain;
  readonly #node: RpcNode;
  readonly #sockets: Sockets;
  readonly #finalitySlots: number;
  readonly #timer: SlotTimer | undefined;
  readonly #listeners = new Set<Listener>();
  #isStopped = false;

  /**
   * Starts a cluster. Throws RangeError if the slot options contradict each other. Throws JournalError if the journal is
   * damaged, has another version or cluster, or cannot be written.
   */
  static start(options: LocalnetOptions = {}): Localnet {
    return new Localnet(options);
  }

  private constructor(options: LocalnetOptions) {
    const { confirmSlots = 1, finalitySlots = 32, slotMs = 400, seed = DEFAULT_SEED } = options;
    checkSlots(confirmSlots, finalitySlots, slotMs);
    this.#finalitySlots = finalitySlots;
    this.genesisHash = genesisHashOf(seed, options.genesisHash);
    const store = options.journal === undefined ? undefined : openStore(options.journal, this.genesisHash);
    this.#chain = new Chain(
      {
        genesisSlot: store?.saved?.genesisSlot ?? options.genesisSlot ?? 1000n,
        confirmSlots,
        finalitySlots,
        now: options.now ?? Date.now,
        runNonce: randomBytes(32),
      },
      store,
    );
    this.#node = {
      chain: this.#chain,
      faucet: new Faucet(this.#chain, seed),
      genesisHash: this.genesisHash,
      leader: leaderOf(seed),
      faults: { availability: 'available', dropTransactions: false },
    };
    this.#sockets = new Sockets(this.#node, options.socketLimits);
    this.transport = (async ({ payload, signal }) => {
      signal?.throwIfAborted();
      this.#failIfPaused();
      return handlePayload(this.#node, payload);
    }) as RpcTransport;
    this.rpc = createSolanaRpcFromTransport(this.transport);
    this.#timer = slotMs === 'manual' ? undefined : new SlotTimer(slotMs, (count) => this.#passSlots(count));
  }

  /** Returns the open slot. A transaction that is sent now lands in it. */
  get slot(): bigint {
    return this.#chain.slots.open;
  }

  /** Returns the chain time of the open slot in Unix seconds, as programs read it. */
  get time(): number {
    return this.#chain.slots.timeOf(this.slot) ?? 0;
  }

  /** Closes the open slot and opens the next, `count` times. Throws RangeError if count is negative. @default 1 */
  advanceSlots(count = 1): void {
    if (!Number.isSafeInteger(count) || count < 0)
      throw new RangeError(`The number of slots must be a whole number of 0 or more. It is ${count}.`);
    this.#chain.advance(count);
  }

  /** Closes slots until every transaction that has landed is finalized. */
  finalize(): void {
    this.advanceSlots(this.#finalitySlots);
  }

  /**
   * Sets the chain time of the open slot, in Unix seconds. From there it follows the wall clock. Throws RangeError if the
   * number is not whole.
   */
  setTime(unixSeconds: number | bigint): void {
    const seconds = Number(unixSeconds);
    if (!Number.isSafeInteger(seconds))
      throw new RangeError(`Chain time must be a whole number of seconds. It is ${unixSeconds}.`);
    this.#chain.setTime(seconds);
  }

  /**
   * Adds lamports to an account at every commitment at once, as if genesis had funded it. Use it to set up a test.
   * `requestAirdrop` over RPC sends a transaction instead, like a real faucet.
   */
  airdrop(address: Address, lamports: bigint): void {
    this.#chain.endow(address, lamports);
  }

  /**
   * Adds a program at any address, at every commitment at once, as if genesis had it. Nobody can upgrade it. Use it for a
   * program of another project. Does nothing if a journal contains the same program. The deployment of `@service/deploy`
   * sends transactions instead.
   */
  addProgram(address: Address, so: Uint8Array): void {
    const lamports = this.#chain.rentExemptMinimum(so.length);
    this.#chain.install(address, { lamports, data: so, owner: LOADER, executable: true });
  }

  /** Returns the newest state of every account that exists and was ever written, for {@link addAccounts}. */
  accounts(): ReadonlyMap<Address, AccountState> {
    return this.#chain.writtenAccounts();
  }

  /** Adds accounts of another cluster at every commitment at once, as if genesis had them. Use it to set up a test. */
  addAccounts(accounts: ReadonlyMap<Address, AccountState>): void {
    this.#chain.installAll(accounts);
  }

  /** Handles a JSON-RPC payload (a request or a batch). Returns JSON values, with integers as numbers or bigints. */
  handle(payload: unknown): unknown {
    return handlePayload(this.#node, payload);
  }

  /** Serves the node over HTTP and its subscriptions over WebSocket, by default on loopback. */
  async listen(options: ListenOptions = {}): Promise<Listener> {
    const listener = await listen(this.#node, this.#sockets, options);
    this.#listeners.add(listener);
    return listener;
  }

  /** Stops the slots and the servers, and closes the journal. */
  async stop(): Promise<void> {
    this.#timer?.stop();
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
    this.#listeners.clear();
    if (!this.#isStopped) this.#chain.close();
    this.#isStopped = true;
  }

  /**
   * Makes the RPC fail while the chain continues. `unavailable` responds with HTTP 503; `unreachable` closes every
   * connection. Both end the WebSocket connections.
   */
  pause(how: 'unavailable' | 'unreachable' = 'unavailable'): void {
    this.#node.faults.availability = how;
    this.#sockets.disconnect();
  }

  /** Ends {@link pause}. */
  resume(): void {
    this.#node.faults.availability = 'available';
  }

  /** Makes the node accept transactions and return their signatures, but never land them. */
  dropTransactions(drop: boolean): void {
    this.#node.faults.dropTransactions = drop;
  }

  /** Makes the node lose all transactions so far. Its first available block becomes the open slot. */
  forgetHistory(): void {
    this.#chain.history.forget(this.slot);
  }

  /** Changes the first available block that the node reports. The node keeps all transactions. */
  setFirstAvailableBlock(slot: bigint): void {
    this.#chain.history.firstAvailableBlock = slot;
  }

  /** Closes slots on the timer. While the journal cannot be written, no slot is closed; senders get the error. */
  #passSlots(count: number): void {
    try {
      this.advanceSlots(count);
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
    }
  }

  #failIfPaused(): void {
    const { availability } = this.#node.faults;
    if (availability === 'unreachable') throw new TypeError('fetch failed');
    if (availability === 'unavailable') {
      throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
        headers: new Headers(),
        message: 'Service Unavailable',
        statusCode: 503,
      });
    }
  }
}

function openStore(file: string, genesisHash: string): ChainStore {
  const { journal, entries } = Journal.open<ChainEntry>(file);
  const saved = readChain(entries);
  if (saved && saved.genesisHash !== genesisHash) {
    journal.close();
    throw new JournalError(
      `${file} belongs to the cluster ${saved.genesisHash}, not to ${genesisHash}. Choose another folder.`,
    );
  }
  return { journal, saved, genesisHash };
}

function checkSlots(confirmSlots: number, finalitySlots: number, slotMs: number | 'manual'): void {
  const areWhole = Number.isInteger(confirmSlots) && Number.isInteger(finalitySlots);
  if (!areWhole || confirmSlots < 1 || finalitySlots < confirmSlots || finalitySlots > MAX_FINALITY_SLOTS) {
    throw new RangeError(
      `Slots must satisfy 1 <= confirmSlots <= finalitySlots <= ${MAX_FINALITY_SLOTS}. They are ${confirmSlots} and ${finalitySlots}.`,
    );
  }
  if (slotMs !== 'manual' && !(slotMs > 0))
    throw new RangeError(`slotMs must be positive or 'manual'. It is ${slotMs}.`);
}
