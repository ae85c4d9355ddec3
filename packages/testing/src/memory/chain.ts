/** A cluster in memory: accounts, transactions that land immediately, and the JSON-RPC methods that the client calls. */
import { CLOCK_SYSVAR, RENT_SYSVAR, SYSTEM_PROGRAM, splitWireTransaction } from '@service/protocol';
import {
  type Address,
  getBase58Decoder,
  getBase64Decoder,
  getF64Encoder,
  getI64Encoder,
  getU64Encoder,
  type ReadonlyUint8Array,
} from '@solana/kit';

/** An account in memory. */
export interface MemoryAccount {
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly lamports: bigint;
}

/** A transaction that landed. */
interface Landed {
  readonly wire: Uint8Array;
  readonly wallet: Address;
  readonly memo: string;
  readonly slot: bigint;
  readonly error: unknown;
}

const FIRST_SLOT = 1_000n;
/** Slots after which a blockhash expires. */
const BLOCKHASH_SLOTS = 150n;
const RENT_PER_BYTE = 6_960n;

/** The balance of each wallet that signs in: 1 SOL. */
const WALLET_LAMPORTS = 1_000_000_000n;

/** Returns the rent of an account in lamports. */
export function rentOf(bytes: bigint): bigint {
  return (bytes + 128n) * RENT_PER_BYTE;
}

/** A cluster in memory. Each transaction takes one slot. */
export class MemoryChain {
  readonly genesisHash: string;
  readonly accounts = new Map<string, MemoryAccount>();
  readonly #landed = new Map<string, Landed>();
  readonly #now: () => bigint;
  slot = FIRST_SLOT;

  /** @param now returns the chain time in Unix seconds */
  constructor(genesisHash: string, now: () => bigint) {
    this.genesisHash = genesisHash;
    this.#now = now;
  }

  /** Returns the chain time in Unix seconds. */
  get time(): bigint {
    return this.#now();
  }

  /** Returns the present blockhash, which depends only on the slot. */
  get blockhash(): string {
    return blockhashOf(this.slot);
  }

  isBlockhashValid(blockhash: string): boolean {
    const oldest = this.slot - BLOCKHASH_SLOTS + 1n;
    for (let slot = this.slot; slot >= oldest && slot >= FIRST_SLOT; slot -= 1n) {
      if (blockhashOf(slot) === blockhash) return true;
    }
    return false;
  }

  /** Creates or replaces an account. @param lamports @default what the account has, or its rent */
  put(address: Address, owner: Address, data: ReadonlyUint8Array, lamports?: bigint): void {
    const space = BigInt(data.length);
    this.accounts.set(address, {
      owner,
      data: new Uint8Array(data),
      lamports: lamports ?? this.accounts.get(address)?.lamports ?? rentOf(space),
    });
  }

  /** Gives a wallet SOL, if it has none. */
  fund(wallet: Address): void {
    if (!this.accounts.has(wallet)) this.put(wallet, SYSTEM_PROGRAM, new Uint8Array(), WALLET_LAMPORTS);
  }

  /** Lands a signed transaction in the present slot. `error` is the transaction's error, or null. */
  land(wire: Uint8Array, { wallet, memo, error }: Omit<Landed, 'wire' | 'slot'>): void {
    const signature = getBase58Decoder().decode(splitWireTransaction(wire)!.signature);
    this.#landed.set(signature, { wire, wallet, memo, error, slot: this.slot });
    this.slot += 1n;
  }

  /** Responds to a JSON-RPC request. */
  respond(payload: { id: unknown; method: string; params?: unknown[] }): object {
    const method = METHODS[payload.method];
    const error = payload.method === 'sendTransaction' ? CANNOT_SEND : METHOD_NOT_FOUND;
    return {
      jsonrpc: '2.0',
      id: payload.id,
      ...(method ? { result: method.call(this, payload.params ?? []) } : { error }),
    };
  }

  /** Returns a value with the context of an RPC response. @internal */
  withContext(value: unknown): object {
    return { context: { slot: Number(this.slot), apiVersion: '2.0.0' }, value };
  }

  /** Returns an account as the RPC shows it, or null. @internal */
  accountJson(address: string): object | null {
    const account = this.#sysvar(address) ?? this.accounts.get(address);
    if (!account) return null;
    return {
      data: [getBase64Decoder().decode(account.data), 'base64'],
      executable: false,
      lamports: Number(account.lamports),
      owner: account.owner,
      rentEpoch: 0,
      space: account.data.length,
    };
  }

  /** Returns a landed transaction by its signature. */
  landed(signature: string): Landed | undefined {
    return this.#landed.get(signature);
  }

  /** Returns the landed transactions of a wallet, newest first. @internal */
  landedOf(wallet: string): [string, Landed][] {
    return [...this.#landed].filter(([, each]) => each.wallet === wallet).reverse();
  }

  #sysvar(address: string): MemoryAccount | undefined {
    const data = new Uint8Array(40);
    if (address === CLOCK_SYSVAR) {
      // The time follows the slot, the epoch's start, the epoch and the leader schedule's epoch.
      data.set(getI64Encoder().encode(this.time), 32);
    } else if (address === RENT_SYSVAR) {
      data.set(getU64Encoder().encode(RENT_PER_BYTE));
      data.set(getF64Encoder().encode(1), 8);
    } else return undefined;
    return { owner: SYSTEM_PROGRAM, data, lamports: 1n };
  }
}

function blockhashOf(slot: bigint): string {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setBigUint64(0, slot);
  return getBase58Decoder().decode(bytes);
}

const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };
/** Programs do not run here. A failed preflight keeps the sender from waiting for a transaction that never lands. */
const CANNOT_SEND = {
  code: -32002,
  message: 'Transaction simulation failed: programs do not run on a cluster in memory',
  data: {
    err: 'ProgramAccountNotFound',
    accounts: null,
    innerInstructions: null,
    logs: [],
    returnData: null,
    unitsConsumed: 0,
  },
};

const statusOf = (error: unknown) => ({ err: error, status: error ? { Err: error } : { Ok: null } });

type Method = (this: MemoryChain, params: readonly unknown[]) => unknown;

const METHODS: Readonly<Record<string, Method>> = {
  getGenesisHash() {
    return this.genesisHash;
  },
  getLatestBlockhash() {
    return this.withContext({
      blockhash: this.blockhash,
      lastValidBlockHeight: Number(this.slot + BLOCKHASH_SLOTS),
    });
  },
  isBlockhashValid([blockhash]) {
    return this.withContext(this.isBlockhashValid(String(blockhash)));
  },
  getBalance([address]) {
    return this.withContext(Number(this.accounts.get(String(address))?.lamports ?? 0n));
  },
  getMultipleAccounts([addresses]) {
    return this.withContext((addresses as string[]).map((address) => this.accountJson(address)));
  },
  getAccountInfo([address]) {
    return this.withContext(this.accountJson(String(address)));
  },
  getMinimumBalanceForRentExemption([bytes]) {
    return Number(rentOf(BigInt(String(bytes))));
  },
  getEpochInfo() {
    const slot = Number(this.slot);
    return {
      absoluteSlot: slot,
      blockHeight: slot,
      epoch: 0,
      slotIndex: slot,
      slotsInEpoch: 432_000,
      transactionCount: 0,
    };
  },
  getFirstAvailableBlock() {
    return 0;
  },
  getSignatureStatuses([signatures]) {
    return this.withContext(
      (signatures as string[]).map((signature) => {
        const landed = this.landed(signature);
        if (!landed) return null;
        const { slot, error } = landed;
        return {
          slot: Number(slot),
          confirmations: null,
          ...statusOf(error),
          confirmationStatus: 'finalized',
        };
      }),
    );
  },
  getSignaturesForAddress([wallet]) {
    return this.landedOf(String(wallet)).map(([signature, { slot, error, memo }]) => ({
      signature,
      slot: Number(slot),
      err: error,
      memo: `[${memo.length}] ${memo}`,
      blockTime: null,
      confirmationStatus: 'finalized',
    }));
  },
  getTransaction([signature]) {
    const landed = this.landed(String(signature));
    if (!landed) return null;
    const { wire, slot, error } = landed;
    return {
      slot: Number(slot),
      blockTime: null,
      version: 0,
      transaction: [getBase64Decoder().decode(wire), 'base64'],
      meta: {
        ...statusOf(error),
        fee: 5_000,
        preBalances: [],
        postBalances: [],
        preTokenBalances: [],
        postTokenBalances: [],
        innerInstructions: [],
        logMessages: [],
        loadedAddresses: { readonly: [], writable: [] },
        rewards: [],
        computeUnitsConsumed: 0,
      },
    };
  },
};
