import { randomBytes } from 'node:crypto';
import {
  type Address,
  createSolanaRpcFromTransport,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { Chain, type ChainStore } from './chain/chain.ts';
import { Faucet } from './chain/faucet.ts';
import { DEFAULT_SEED, genesisHashOf } from './chain/genesis.ts';
import { Journal, JournalError } from './chain/journal.ts';
import { type ChainEntry, readChain } from './chain/kept-chain.ts';
import { MAX_FINALITY_SLOTS } from './chain/slots.ts';
import { type Listener, type ListenOptions, listen } from './http.ts';
import { handlePayload } from './rpc/handle.ts';
import type { RpcNode } from './rpc/node.ts';
import { SlotTimer } from './slot-timer.ts';

export interface LocalnetOptions {
  /** The length of a slot in milliseconds, or `manual`: slots pass only by `advanceSlots`. @default 400 */
  slotMs?: number | 'manual';
  /** Slots after which a transaction is confirmed, at least 1. @default 1 */
  confirmSlots?: number;
  /** Slots after which a transaction is finalized, from confirmSlots to 512. @default 32, as on mainnet */
  finalitySlots?: number;
  /** Names the cluster: the same seed gives the same genesis hash and faucet. @default 'localnet' */
  seed?: string;
  /** The genesis hash itself, base58 of 32 bytes, when it must be a given one. */
  genesisHash?: string;
  /** The finalized slot that holds genesis. Not 0, so that no client can mistake height for slot. @default 1000 */
  genesisSlot?: bigint;
  /**
   * File that keeps the chain: a run with the same file goes on where the one before ended, also after a kill. For one
   * process at a time, which the caller sees to. @default in memory
   */
  journal?: string | undefined;
  /** The wall clock in milliseconds, for tests that hold time still. @default Date.now */
  now?: () => number;
}

/** A Solana cluster of one, in this process: a plain JSON-RPC node over litesvm. */
export class Localnet {
  /** A kit transport to this node, for `createSolanaRpcFromTransport`. */
  readonly transport: RpcTransport;
  /** A kit RPC client of this node, in-process. */
  readonly rpc: ReturnType<typeof createSolanaRpcFromTransport<RpcTransport>>;
  readonly genesisHash: string;
  readonly #chain: Chain;
  readonly #node: RpcNode;
  readonly #finalitySlots: number;
  readonly #timer: SlotTimer | undefined;
  readonly #listeners = new Set<Listener>();
  #isStopped = false;

  /**
   * Starts a cluster. Throws a RangeError when the slot options do not fit together, a JournalError when the journal is
   * damaged, of another version or cluster, or cannot be written.
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
        genesisSlot: store?.kept?.genesisSlot ?? options.genesisSlot ?? 1000n,
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
      faults: { availability: 'available', dropTransactions: false },
    };
    this.transport = (async ({ payload, signal }) => {
      signal?.throwIfAborted();
      this.#failIfPaused();
      return handlePayload(this.#node, payload);
    }) as RpcTransport;
    this.rpc = createSolanaRpcFromTransport(this.transport);
    this.#timer = slotMs === 'manual' ? undefined : new SlotTimer(slotMs, (count) => this.#passSlots(count));
  }

  /** The open slot: a transaction sent now lands in it. */
  get slot(): bigint {
    return this.#chain.slots.open;
  }

  /** Chain time in Unix seconds, as programs see it in the open slot. */
  get time(): number {
    return this.#chain.slots.timeOf(this.slot) ?? 0;
  }

  /** Closes the open slot and opens the next, as often as asked, once unless told. Throws a RangeError below 0. */
  advanceSlots(count = 1): void {
    if (!Number.isSafeInteger(count) || count < 0)
      throw new RangeError(`Slots are whole and go forward; got ${count}`);
    this.#chain.advance(count);
  }

  /** Closes slots until what has landed so far is finalized. */
  finalize(): void {
    this.advanceSlots(this.#finalitySlots);
  }

  /**
   * Sets chain time in Unix seconds, for the open slot and on from there with the wall clock.
   * Throws a RangeError when they are not whole.
   */
  setTime(unixSeconds: number | bigint): void {
    const seconds = Number(unixSeconds);
    if (!Number.isSafeInteger(seconds))
      throw new RangeError(`Chain time is in whole seconds; got ${unixSeconds}`);
    this.#chain.setTime(seconds);
  }

  /**
   * Gives an account lamports out of nothing, at every commitment at once, as if genesis had: for
   * setting up a test. `requestAirdrop` over RPC is the transaction that a real faucet sends.
   */
  airdrop(address: Address, lamports: bigint): void {
    this.#chain.endow(address, lamports);
  }

  /** Answers a JSON-RPC payload (a request or a batch) as JSON values, integers as numbers or bigints. */
  handle(payload: unknown): unknown {
    return handlePayload(this.#node, payload);
  }

  /** Serves the node over HTTP, on loopback unless told. */
  async listen(options: ListenOptions = {}): Promise<Listener> {
    const listener = await listen(this.#node, options);
    this.#listeners.add(listener);
    return listener;
  }

  /** Stops slots and servers, and closes the journal. */
  async stop(): Promise<void> {
    this.#timer?.stop();
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
    this.#listeners.clear();
    if (!this.#isStopped) this.#chain.close();
    this.#isStopped = true;
  }

  /**
   * Fault: the RPC stops answering while the chain goes on. `unavailable` answers HTTP 503;
   * `unreachable` breaks every connection.
   */
  pause(how: 'unavailable' | 'unreachable' = 'unavailable'): void {
    this.#node.faults.availability = how;
  }

  /** Ends {@link pause}. */
  resume(): void {
    this.#node.faults.availability = 'available';
  }

  /** Fault: transactions are accepted, answered with their signature, and never land. */
  dropTransactions(drop: boolean): void {
    this.#node.faults.dropTransactions = drop;
  }

  /** Fault: the node forgets every transaction so far, and its first available block is the open slot. */
  forgetHistory(): void {
    this.#chain.history.forget(this.slot);
  }

  /** Fault: sets which block the node says is its first, without forgetting a transaction. */
  setFirstAvailableBlock(slot: bigint): void {
    this.#chain.history.firstAvailableBlock = slot;
  }

  /** Time passes: while the journal cannot be written, the chain stands still, and whoever sends is told why. */
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
  const kept = readChain(entries);
  if (kept && kept.genesisHash !== genesisHash) {
    journal.close();
    throw new JournalError(
      `${file} is of the cluster ${kept.genesisHash}, not ${genesisHash}: name another folder`,
    );
  }
  return { journal, kept, genesisHash };
}

function checkSlots(confirmSlots: number, finalitySlots: number, slotMs: number | 'manual'): void {
  const areWhole = Number.isInteger(confirmSlots) && Number.isInteger(finalitySlots);
  if (!areWhole || confirmSlots < 1 || finalitySlots < confirmSlots || finalitySlots > MAX_FINALITY_SLOTS) {
    throw new RangeError(
      `Slots must satisfy 1 <= confirmSlots <= finalitySlots <= ${MAX_FINALITY_SLOTS}; got ${confirmSlots} and ${finalitySlots}`,
    );
  }
  if (slotMs !== 'manual' && !(slotMs > 0))
    throw new RangeError(`slotMs must be positive or 'manual'; got ${slotMs}`);
}
