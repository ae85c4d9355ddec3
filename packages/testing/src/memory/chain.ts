/** A cluster in memory: accounts, transactions that land at once, and the JSON-RPC that the client reads. */
import { CLOCK_SYSVAR, SYSTEM_PROGRAM, splitWireTransaction } from '@service/protocol';
import {
  type Address,
  getBase58Decoder,
  getBase64Decoder,
  getI64Encoder,
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
/** Slots after which a blockhash dies. */
const BLOCKHASH_LIFE = 150n;
const RENT_PER_BYTE = 6_960n;

/** Lamports that an account of some bytes must keep. */
export function rentOf(bytes: bigint): bigint {
  return (bytes + 128n) * RENT_PER_BYTE;
}

/** A cluster in memory. A slot passes with each transaction. */
export class MemoryChain {
  readonly genesisHash: string;
  readonly accounts = new Map<string, MemoryAccount>();
  readonly #landed = new Map<string, Landed>();
  readonly #now: () => bigint;
  slot = FIRST_SLOT;

  /** @param now chain time in Unix seconds */
  constructor(genesisHash: string, now: () => bigint) {
    this.genesisHash = genesisHash;
    this.#now = now;
  }

  /** Chain time in Unix seconds. */
  get time(): bigint {
    return this.#now();
  }

  /** The blockhash of now; base58 of 32 bytes, of the slot alone. */
  get blockhash(): string {
    const bytes = new Uint8Array(32).fill(7);
    new DataView(bytes.buffer).setBigUint64(0, this.slot);
    return getBase58Decoder().decode(bytes);
  }

  isBlockhashValid(blockhash: string): boolean {
    const bytes = new Uint8Array(32).fill(7);
    for (let slot = this.slot; slot > this.slot - BLOCKHASH_LIFE && slot >= FIRST_SLOT; slot -= 1n) {
      new DataView(bytes.buffer).setBigUint64(0, slot);
      if (getBase58Decoder().decode(bytes) === blockhash) return true;
    }
    return false;
  }

  /** Puts an account of the program or of a token there. */
  put(address: Address, owner: Address, data: ReadonlyUint8Array, lamports?: bigint): void {
    const space = BigInt(data.length);
    this.accounts.set(address, {
      owner,
      data: new Uint8Array(data),
      lamports: lamports ?? this.accounts.get(address)?.lamports ?? rentOf(space),
    });
  }

  /** Lands a signed transaction in the open slot, with the error that it ends with or null; returns the slot. */
  land(wire: Uint8Array, { wallet, memo, error }: Omit<Landed, 'wire' | 'slot'>): bigint {
    const { slot } = this;
    const signature = getBase58Decoder().decode(splitWireTransaction(wire)!.signature);
    this.#landed.set(signature, { wire, wallet, memo, error, slot });
    this.slot += 1n;
    return slot;
  }

  /** The slot and the error of a transaction that landed. */
  outcomeOf(signature: string): { slot: bigint; error: unknown } | undefined {
    return this.#landed.get(signature);
  }

  /** The answer to a JSON-RPC request. */
  answer(payload: { id: unknown; method: string; params?: unknown[] }): object {
    const method = METHODS[payload.method];
    const error = payload.method === 'sendTransaction' ? SENDS_NOTHING : METHOD_NOT_FOUND;
    return {
      jsonrpc: '2.0',
      id: payload.id,
      ...(method ? { result: method.call(this, payload.params ?? []) } : { error }),
    };
  }

  /** @internal */
  withContext(value: unknown): object {
    return { context: { slot: Number(this.slot), apiVersion: '2.0.0' }, value };
  }

  /** @internal */
  accountJson(address: string): object | null {
    const account = address === CLOCK_SYSVAR ? this.#clock() : this.accounts.get(address);
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

  /** @internal */
  landed(signature: string): Landed | undefined {
    return this.#landed.get(signature);
  }

  /** @internal */
  landedOf(wallet: string): [string, Landed][] {
    return [...this.#landed].filter(([, each]) => each.wallet === wallet).reverse();
  }

  #clock(): MemoryAccount {
    const data = new Uint8Array(40);
    // slot, epoch start, epoch, leader schedule epoch, then the time.
    data.set(getI64Encoder().encode(this.time), 32);
    return { owner: SYSTEM_PROGRAM, data, lamports: 1n };
  }
}

const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };
/** No program runs here. As the failed preflight that it is, so that a sender does not wait for what never lands. */
const SENDS_NOTHING = {
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

type Method = (this: MemoryChain, params: readonly unknown[]) => unknown;

const METHODS: Readonly<Record<string, Method>> = {
  getGenesisHash() {
    return this.genesisHash;
  },
  getLatestBlockhash() {
    return this.withContext({
      blockhash: this.blockhash,
      lastValidBlockHeight: Number(this.slot + BLOCKHASH_LIFE),
    });
  },
  isBlockhashValid([blockhash]) {
    return this.withContext(this.isBlockhashValid(String(blockhash)));
  },
  getBalance([address]) {
    // Wallets have SOL here without being funded.
    return this.withContext(Number(this.accounts.get(String(address))?.lamports ?? 1_000_000_000n));
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
          err: error,
          status: error ? { Err: error } : { Ok: null },
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
        err: error,
        status: error ? { Err: error } : { Ok: null },
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
