/** Wallets of the Wallet Standard, with the features of the wallets that they simulate. The types are structural. */
import { type Address, getAddressEncoder, getBase58Encoder, type Signature } from '@solana/kit';

/** An account of a {@link SimulatedStandardWallet}. */
export interface SimulatedStandardAccount {
  /** Base58. */
  readonly address: Address;
  /** The bytes of the address. */
  readonly publicKey: Uint8Array;
  /** Clusters that the account can be used on. */
  readonly chains: readonly `solana:${string}`[];
  /** Names of the features that work with this account. */
  readonly features: readonly `solana:${string}`[];
  /** Name of the account that a site shows. */
  readonly label?: string;
}

/**
 * A wallet of the Wallet Standard, which a registry and `standardWallet` accept. It has no accounts before
 * `standard:connect`.
 */
export interface SimulatedStandardWallet {
  /** Version of the Wallet Standard. */
  readonly version: '1.0.0';
  /** Name that a site shows. */
  readonly name: string;
  /** A data URL. */
  readonly icon: `data:image/svg+xml;base64,${string}`;
  /** Clusters that the wallet works on. */
  readonly chains: readonly `solana:${string}`[];
  /** Features by name. */
  readonly features: Readonly<Record<`${string}:${string}`, unknown>>;
  /** Accounts that the site may use. */
  readonly accounts: readonly SimulatedStandardAccount[];
}

/** What the features of a wallet call. An absent function means that the wallet does not have the feature. */
export interface StandardActions {
  readonly signMessage?: ((message: Uint8Array, account: Address) => Promise<Uint8Array>) | undefined;
  readonly signTransaction?: ((wire: Uint8Array, account: Address) => Promise<Uint8Array>) | undefined;
  readonly signAndSend?: ((wire: Uint8Array, account: Address) => Promise<Signature>) | undefined;
}

/** An account that a wallet gives to sites. */
export interface StandardAccountSettings {
  readonly address: Address;
  readonly label?: string;
}

/** What a wallet of the Wallet Standard shows and does. */
export interface StandardWalletSettings {
  readonly name: string;
  /** @default a grey square */
  readonly icon?: SimulatedStandardWallet['icon'];
  /** Clusters that the wallet signs for. @default all */
  readonly chains?: readonly `solana:${string}`[];
  /** Accounts that a site gets when it connects. */
  readonly accounts: readonly StandardAccountSettings[];
  readonly actions: StandardActions;
  /** Whether the site may connect without asking the person. @default never */
  readonly isKnownSite?: () => boolean;
  /** Called when a site connects or disconnects. */
  readonly onConnection?: (connected: boolean) => void;
}

/** A wallet of the Wallet Standard, and what only the wallet itself can do. */
export interface StandardWalletParts {
  readonly standard: SimulatedStandardWallet;
  /** Returns all accounts, also before a site connects. */
  accounts(): readonly SimulatedStandardAccount[];
  /** Adds an account, and gives it to the site if the site is connected. */
  addAccount(settings: StandardAccountSettings): SimulatedStandardAccount;
}

const CHAINS: readonly `solana:${string}`[] = [
  'solana:mainnet',
  'solana:devnet',
  'solana:testnet',
  'solana:localnet',
];
const VERSIONS = ['legacy', 0] as const;
/** A grey square. */
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI4IiBoZWlnaHQ9IjgiPjxyZWN0IHdpZHRoPSI4IiBoZWlnaHQ9IjgiIGZpbGw9ImdyYXkiLz48L3N2Zz4=';

/** Creates a wallet of the Wallet Standard and its accounts. */
export function createStandardWallet(settings: StandardWalletSettings): StandardWalletParts {
  const { name, icon = ICON, chains = CHAINS, isKnownSite = () => false, onConnection } = settings;
  const known: SimulatedStandardAccount[] = [];
  const signing = signingFeatures(settings.actions, ({ account, chain }) => {
    if (!known.some(({ address }) => address === account?.address)) {
      throw new Error(`${name} does not have the account ${account?.address}.`);
    }
    if (chain !== undefined && !chains.includes(chain))
      throw new Error(`${name} does not sign for ${chain}.`);
    return account.address;
  });
  const remember = ({ address, label }: StandardAccountSettings) => {
    const account: SimulatedStandardAccount = {
      address,
      publicKey: new Uint8Array(getAddressEncoder().encode(address)),
      chains,
      features: Object.keys(signing) as `solana:${string}`[],
      ...(label === undefined ? {} : { label }),
    };
    known.push(account);
    return account;
  };
  settings.accounts.forEach(remember);

  const listeners = new Set<(change: object) => void>();
  let accounts: readonly SimulatedStandardAccount[] = [];
  const setAccounts = (next: readonly SimulatedStandardAccount[]) => {
    accounts = next;
    for (const listener of listeners) listener({ accounts });
  };
  const features = {
    'standard:connect': {
      version: '1.0.0',
      async connect({ silent = false }: { readonly silent?: boolean } = {}) {
        if (accounts.length === 0 && (!silent || isKnownSite())) {
          setAccounts([...known]);
          onConnection?.(true);
        }
        return { accounts };
      },
    },
    'standard:disconnect': {
      version: '1.0.0',
      async disconnect() {
        setAccounts([]);
        onConnection?.(false);
      },
    },
    'standard:events': {
      version: '1.0.0',
      on(_event: 'change', listener: (change: object) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    ...signing,
  };
  const standard: SimulatedStandardWallet = {
    version: '1.0.0',
    name,
    icon,
    chains,
    features,
    get accounts() {
      return accounts;
    },
  };
  return {
    standard,
    accounts: () => [...known],
    addAccount(added) {
      const account = remember(added);
      if (accounts.length > 0) setAccounts([...known]);
      return account;
    },
  };
}

/** What a site passes to each signing feature. */
interface SigningInput {
  readonly account: SimulatedStandardAccount;
  readonly chain?: `solana:${string}`;
}
interface MessageInput extends SigningInput {
  readonly message: Uint8Array;
}
interface TransactionInput extends SigningInput {
  readonly transaction: Uint8Array;
}

function signingFeatures(
  { signMessage, signTransaction, signAndSend }: StandardActions,
  accountOf: (input: SigningInput) => Address,
) {
  return {
    ...(signMessage && {
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: (...inputs: MessageInput[]) =>
          inEachTurn(inputs, async (input) => ({
            signedMessage: input.message,
            signature: await signMessage(input.message, accountOf(input)),
          })),
      },
    }),
    ...(signTransaction && {
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: VERSIONS,
        signTransaction: (...inputs: TransactionInput[]) =>
          inEachTurn(inputs, async (input) => ({
            signedTransaction: await signTransaction(input.transaction, accountOf(input)),
          })),
      },
    }),
    ...(signAndSend && {
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: VERSIONS,
        signAndSendTransaction: (...inputs: TransactionInput[]) =>
          inEachTurn(inputs, async (input) => {
            const signature = await signAndSend(input.transaction, accountOf(input));
            return { signature: new Uint8Array(getBase58Encoder().encode(signature)) };
          }),
      },
    }),
  };
}

/** Handles inputs one after another, as a wallet shows its prompts. */
async function inEachTurn<Input, Output>(
  inputs: readonly Input[],
  handle: (input: Input) => Promise<Output>,
): Promise<readonly Output[]> {
  const outputs: Output[] = [];
  for (const input of inputs) outputs.push(await handle(input));
  return outputs;
}
