/** The accounts of the development wallet, in a storage such as localStorage. */
import {
  createKeyPairSignerFromPrivateKeyBytes,
  getBase64Decoder,
  getBase64Encoder,
  type KeyPairSigner,
} from '@solana/kit';
import * as z from 'zod/mini';
import { invalidArgument } from '../people/funded-wallet.ts';

/** Where a development wallet keeps its keys: `localStorage` and `sessionStorage` are such storages. */
export interface DevelopmentWalletStorage {
  /** Returns the value of a key, or null. */
  getItem(key: string): string | null;
  /** Keeps a value. */
  setItem(key: string, value: string): void;
}

/** The name under which the storage has the accounts. */
export const STORAGE_KEY = 'service-development-wallet';

const SEED_BYTES = 32;
const stored = z.object({
  /** Whether the site was connected when the page was last used. */
  connected: z.boolean(),
  accounts: z.array(z.object({ label: z.string(), seed: z.string() })),
});
type Stored = z.infer<typeof stored>;

/** An account and its key. */
export interface KeptAccount {
  readonly label: string;
  readonly signer: KeyPairSigner;
}

/** The accounts in one storage. */
export interface StoredAccounts {
  /** The accounts that the storage had at the start, or new ones. */
  readonly first: readonly KeptAccount[];
  /** Makes a key and keeps it. */
  add(label: string): Promise<KeptAccount>;
  isConnected(): boolean;
  setConnected(connected: boolean): void;
}

/**
 * Reads the accounts, and makes them if there are none. Reads and writes without an await between them, so that two tabs
 * do not replace each other's keys.
 *
 * @throws ServiceError INVALID_ARGUMENT for `storage`, when it cannot be used or contains something else
 */
export async function openStoredAccounts(
  storage: DevelopmentWalletStorage,
  labels: readonly string[],
): Promise<StoredAccounts> {
  const read = () => readStored(storage);
  const write = (content: Stored) => {
    try {
      storage.setItem(STORAGE_KEY, JSON.stringify(content));
    } catch (cause) {
      const message =
        'The storage does not keep the keys of the development wallet. Pass another storage in the option storage.';
      throw invalidArgument('storage', message, cause);
    }
  };
  let content = read();
  if (!content) {
    content = { connected: false, accounts: labels.map((label) => ({ label, seed: newSeed() })) };
    write(content);
  }
  return {
    first: await Promise.all(content.accounts.map(keptAccount)),
    add(label) {
      const added = { label, seed: newSeed() };
      const { connected, accounts } = read() ?? { connected: false, accounts: [] };
      write({ connected, accounts: [...accounts, added] });
      return keptAccount(added);
    },
    isConnected: () => read()?.connected ?? false,
    setConnected(connected) {
      const now = read();
      // If somebody has cleared the storage, the next page makes new accounts.
      if (now) write({ ...now, connected });
    },
  };
}

function readStored(storage: DevelopmentWalletStorage): Stored | null {
  let cause: unknown;
  try {
    const text = storage.getItem(STORAGE_KEY);
    if (text === null) return null;
    const { data } = stored.safeParse(JSON.parse(text));
    if (data?.accounts.every(({ seed }) => bytesOf(seed).length === SEED_BYTES)) return data;
  } catch (error) {
    cause = error;
  }
  const message = `The item ${STORAGE_KEY} of the storage is not one of the development wallet. Remove it, or pass another storage in the option storage.`;
  throw invalidArgument('storage', message, cause);
}

function newSeed(): string {
  return getBase64Decoder().decode(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
}

const bytesOf = (seed: string) => new Uint8Array(getBase64Encoder().encode(seed));

async function keptAccount({ label, seed }: Stored['accounts'][number]): Promise<KeptAccount> {
  return { label, signer: await createKeyPairSignerFromPrivateKeyBytes(bytesOf(seed)) };
}
