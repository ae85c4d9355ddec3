/** A wallet for development, which a page registers by the Wallet Standard. */
import { MAINNET_GENESIS_HASH } from '@service/contract';
import type { CallOptions, Deployment } from '@service/sdk';
import {
  type Address,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
  signBytes,
} from '@solana/kit';
import { checkCluster, invalidArgument, requestSol } from '../people/funded-wallet.ts';
import {
  createStandardWallet,
  type SimulatedStandardAccount,
  type SimulatedStandardWallet,
} from '../wallets/standard.ts';
import { registerInPage } from './registration.ts';
import { type DevelopmentWalletStorage, type KeptAccount, openStoredAccounts } from './stored-accounts.ts';

/**
 * What a site asks the development wallet to sign.
 *
 * @inline
 */
export type DevelopmentWalletRequest = {
  /** The account that signs. */
  readonly account: SimulatedStandardAccount;
} & (
  | {
      readonly kind: 'message';
      /** The message. */
      readonly bytes: Uint8Array;
      /** The message as text. */
      readonly text: string;
    }
  | {
      readonly kind: 'transaction';
      /** The transaction in wire form. */
      readonly bytes: Uint8Array;
    }
);

/** Options of {@link registerDevelopmentWallet}. */
export interface DevelopmentWalletOptions extends CallOptions {
  /** The cluster: the deployment that the page uses. The wallet does not work on mainnet. */
  readonly deployment: Deployment;
  /** Names of the accounts that the wallet makes when the storage has none. @default ['Issuer', 'Alice', 'Bob'] */
  readonly labels?: readonly string[] | undefined;
  /** Where the keys are kept. Anybody who can read it has the keys. @default localStorage */
  readonly storage?: DevelopmentWalletStorage | undefined;
  /**
   * Asks the person, and resolves to whether the wallet signs. The wallet shows one request at a time.
   * @default signs everything
   */
  readonly approve?: ((request: DevelopmentWalletRequest) => Promise<boolean>) | undefined;
}

/** A registered development wallet. */
export interface DevelopmentWallet {
  /** The wallet, as a registry of the Wallet Standard lists it. */
  readonly wallet: SimulatedStandardWallet;
  /** Its accounts, also before a site connects. `label` is their name. */
  readonly accounts: readonly SimulatedStandardAccount[];
  /** Makes another account, and keeps it. A site that is connected gets it at once. */
  addAccount(label: string): Promise<SimulatedStandardAccount>;
  /**
   * Requests lamports from the cluster's faucet, and resolves when they are finalized.
   *
   * @throws ServiceError INVALID_ARGUMENT for `account` if this wallet does not have it; what `fundedWallet` throws
   */
  requestAirdrop(account: string, lamports: bigint, options?: CallOptions): Promise<void>;
  /** Removes the wallet from the page. Keeps its keys. */
  unregister(): void;
}

const NAME = 'Development wallet';
const CHAINS = ['solana:localnet', 'solana:devnet'] as const;
/** A white wallet on orange. */
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzMiAzMiI+PHJlY3Qgd2lkdGg9IjMyIiBoZWlnaHQ9IjMyIiByeD0iNyIgZmlsbD0iI2I0NTMwOSIvPjxwYXRoIGQ9Ik02IDExYTMgMyAwIDAgMSAzLTNoMTN2NGgyYTIgMiAwIDAgMSAyIDJ2OGEyIDIgMCAwIDEtMiAySDlhMyAzIDAgMCAxLTMtM3ptMy0xYTEgMSAwIDAgMCAwIDJoMTF2LTJ6bTEyIDdhMS41IDEuNSAwIDEgMCAwIDMgMS41IDEuNSAwIDAgMCAwLTMiIGZpbGw9IiNmZmYiIGZpbGwtcnVsZT0iZXZlbm9kZCIvPjwvc3ZnPg==';

/**
 * Registers a wallet of the Wallet Standard in this page, for development. It makes its keys in the page and keeps them,
 * readable, in the storage: **they are worthless, so never send anything of value to them**. It rejects a deployment and
 * an RPC on mainnet. A site with `standardWallet` uses it like any other wallet. A page has one development wallet: the last
 * call replaces the others, such as the first call of an effect that React runs twice.
 *
 * @throws ServiceError INVALID_ARGUMENT, naming the option: for mainnet, outside a page, and for a storage that cannot be
 *   used; GENESIS_HASH_MISMATCH, RPC_ERROR, ABORTED
 * @example
 * const development = await registerDevelopmentWallet({
 *   deployment,
 *   approve: async (request) => confirm(request.kind === 'message' ? request.text : 'Sign this transaction?'),
 * });
 * for (const { address } of development.accounts) await development.requestAirdrop(address, 1_000_000_000n);
 */
export async function registerDevelopmentWallet({
  deployment,
  labels = ['Issuer', 'Alice', 'Bob'],
  storage,
  approve = async () => true,
  signal,
}: DevelopmentWalletOptions): Promise<DevelopmentWallet> {
  if (deployment.genesisHash === MAINNET_GENESIS_HASH) {
    const message =
      'The development wallet does not work on mainnet. Pass the deployment of another cluster.';
    throw invalidArgument('deployment.genesisHash', message);
  }
  const page = globalThis.window;
  if (!page) {
    throw invalidArgument(
      'window',
      'The development wallet works only in a page. Register it in the browser.',
    );
  }
  const register = inTurnOf(page);
  await checkCluster(deployment, signal);
  const stored = await openStoredAccounts(storage ?? localStorageOf(page), labels);
  const kept = new Map(stored.first.map((account) => [account.signer.address, account]));
  const settingsOf = ({ label, signer }: KeptAccount) => ({ address: signer.address, label });
  const inTurn = turns();

  /** Asks the person, then signs. Wallets use the code 4001 of EIP-1193 for a rejection. */
  const signing =
    (
      kind: DevelopmentWalletRequest['kind'],
      sign: (bytes: Uint8Array, keys: CryptoKeyPair) => Promise<Uint8Array>,
    ) =>
    (bytes: Uint8Array, address: Address) =>
      inTurn(async () => {
        const account = parts.standard.accounts.find((each) => each.address === address);
        if (!account) throw new Error(`Connect ${NAME} first: this site does not have ${address}.`);
        // The site keeps the array that it passed, so sign a copy, as it was when the person was asked.
        const signed = bytes.slice();
        const asked = bytes.slice();
        const approved = await approve(
          kind === 'message'
            ? { account, kind, bytes: asked, text: new TextDecoder().decode(asked) }
            : { account, kind, bytes: asked },
        );
        if (approved !== true) {
          throw Object.assign(new Error('The person rejected the request.'), { code: 4001 });
        }
        return sign(signed, kept.get(address)!.signer.keyPair);
      });

  const parts = createStandardWallet({
    name: NAME,
    icon: ICON,
    chains: CHAINS,
    accounts: stored.first.map(settingsOf),
    actions: {
      signMessage: signing(
        'message',
        async (message, keys) => new Uint8Array(await signBytes(keys.privateKey, message)),
      ),
      signTransaction: signing('transaction', async (wire, keys) => {
        const signed = await partiallySignTransaction([keys], getTransactionDecoder().decode(wire));
        return new Uint8Array(getTransactionEncoder().encode(signed));
      }),
    },
    isKnownSite: stored.isConnected,
    onConnection: stored.setConnected,
  });
  return {
    wallet: parts.standard,
    get accounts() {
      return parts.accounts();
    },
    async addAccount(label) {
      const added = await stored.add(label);
      kept.set(added.signer.address, added);
      return parts.addAccount(settingsOf(added));
    },
    async requestAirdrop(account, lamports, options = {}) {
      const found = kept.get(account as Address);
      if (!found) {
        throw invalidArgument('account', `The development wallet does not have the account ${account}.`);
      }
      const untilFunded = await requestSol(deployment, found.signer.address, { ...options, lamports });
      await untilFunded();
    },
    unregister: register(parts.standard),
  };
}

/** The last call in each page, and what removes its wallet. */
const last = new WeakMap<object, { readonly call: object; readonly unregister: () => void }>();

/**
 * Returns a function that replaces the wallet of an earlier call by the wallet of this call, and returns what removes it. If a
 * later call has begun, it registers nothing.
 */
function inTurnOf(page: EventTarget): (wallet: SimulatedStandardWallet) => () => void {
  const call = {};
  last.set(page, { call, unregister: last.get(page)?.unregister ?? (() => undefined) });
  return (wallet) => {
    const current = last.get(page);
    if (current?.call !== call) return () => undefined;
    current.unregister();
    const unregister = registerInPage(page, wallet);
    last.set(page, { call, unregister });
    return unregister;
  };
}

/** Some browsers throw when a page without permission reads localStorage. */
function localStorageOf(page: { readonly localStorage: DevelopmentWalletStorage }): DevelopmentWalletStorage {
  try {
    if (page.localStorage) return page.localStorage;
  } catch {}
  throw invalidArgument(
    'storage',
    'This page has no localStorage. Pass another storage in the option storage.',
  );
}

/** Returns a function that runs each call after the last one has ended. */
function turns(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run, run);
    last = result;
    return result;
  };
}
