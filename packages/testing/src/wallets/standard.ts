/** Wallets of the Wallet Standard, with the features of the wallets that they simulate. The types are structural. */
import { type Address, getAddressEncoder, getBase58Encoder, type Signature } from '@solana/kit';

type Chain = `solana:${string}`;

/** An account of a {@link SimulatedStandardWallet}. Not in SPEC.md: for tests. */
export interface SimulatedStandardAccount {
  /** Base58. */
  readonly address: Address;
  /** The bytes of the address. */
  readonly publicKey: Uint8Array;
  /** Clusters that the account can be used on. */
  readonly chains: readonly Chain[];
  /** Names of the features that work with this account. */
  readonly features: readonly `solana:${string}`[];
}

/**
 * A wallet of the Wallet Standard, which a registry and `standardWallet` accept. It has no accounts before
 * `standard:connect`. Not in SPEC.md: for tests.
 */
export interface SimulatedStandardWallet {
  /** Version of the Wallet Standard. */
  readonly version: '1.0.0';
  /** Name that a site shows. */
  readonly name: string;
  /** A data URL. */
  readonly icon: `data:image/svg+xml;base64,${string}`;
  /** Clusters that the wallet works on. */
  readonly chains: readonly Chain[];
  /** Features by name. */
  readonly features: Readonly<Record<`${string}:${string}`, unknown>>;
  /** Accounts that the site may use. */
  readonly accounts: readonly SimulatedStandardAccount[];
}

/** What the features of a wallet call. An absent function means that the wallet does not have the feature. */
export interface StandardActions {
  readonly signMessage?: ((message: Uint8Array) => Promise<Uint8Array>) | undefined;
  readonly signTransaction?: ((wire: Uint8Array) => Promise<Uint8Array>) | undefined;
  readonly signAndSend?: ((wire: Uint8Array) => Promise<Signature>) | undefined;
}

const CHAINS: readonly Chain[] = ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet'];
const VERSIONS = ['legacy', 0] as const;
/** A grey square. */
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI4IiBoZWlnaHQ9IjgiPjxyZWN0IHdpZHRoPSI4IiBoZWlnaHQ9IjgiIGZpbGw9ImdyYXkiLz48L3N2Zz4=';

/** Creates a wallet of the Wallet Standard and its only account. */
export function standardWalletOf(
  name: string,
  address: Address,
  actions: StandardActions,
): { readonly standard: SimulatedStandardWallet; readonly account: SimulatedStandardAccount } {
  const signing = signingFeatures(actions);
  const account: SimulatedStandardAccount = {
    address,
    publicKey: new Uint8Array(getAddressEncoder().encode(address)),
    chains: CHAINS,
    features: Object.keys(signing) as `solana:${string}`[],
  };
  const listeners = new Set<(change: object) => void>();
  let accounts: readonly SimulatedStandardAccount[] = [];
  const setAccounts = (next: readonly SimulatedStandardAccount[]) => {
    accounts = next;
    for (const listener of listeners) listener({ accounts });
  };
  const features = {
    'standard:connect': {
      version: '1.0.0',
      async connect() {
        if (accounts.length === 0) setAccounts([account]);
        return { accounts };
      },
    },
    'standard:disconnect': { version: '1.0.0', disconnect: async () => setAccounts([]) },
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
    icon: ICON,
    chains: CHAINS,
    features,
    get accounts() {
      return accounts;
    },
  };
  return { standard, account };
}

interface TransactionInput {
  readonly transaction: Uint8Array;
}

function signingFeatures({ signMessage, signTransaction, signAndSend }: StandardActions) {
  return {
    ...(signMessage && {
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: (...inputs: { readonly message: Uint8Array }[]) =>
          inEachTurn(inputs, async ({ message }) => ({
            signedMessage: message,
            signature: await signMessage(message),
          })),
      },
    }),
    ...(signTransaction && {
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: VERSIONS,
        signTransaction: (...inputs: TransactionInput[]) =>
          inEachTurn(inputs, async ({ transaction }) => ({
            signedTransaction: await signTransaction(transaction),
          })),
      },
    }),
    ...(signAndSend && {
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: VERSIONS,
        signAndSendTransaction: (...inputs: TransactionInput[]) =>
          inEachTurn(inputs, async ({ transaction }) => ({
            signature: new Uint8Array(getBase58Encoder().encode(await signAndSend(transaction))),
          })),
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
