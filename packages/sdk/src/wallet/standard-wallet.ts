/** Wallets of the Wallet Standard, as browsers' extensions register them. The types are the parts of it that are used. */
import { addressField } from '@service/contract';
import { ServiceError } from '../errors.ts';
import type { PlainWallet, TransactionWallet } from './wallet.ts';

const SIGN_MESSAGE = 'solana:signMessage';
const SIGN_TRANSACTION = 'solana:signTransaction';

/**
 * An account of a wallet: a `WalletAccount` of `@wallet-standard/base` is one (SPEC.md sections 4 and 5).
 *
 * @inline
 */
export interface StandardWalletAccount {
  /** Base58. */
  readonly address: string;
  /** Features that the wallet has for this account. */
  readonly features: readonly string[];
}

/**
 * A wallet: a `Wallet` of `@wallet-standard/base` is one (SPEC.md sections 4 and 5).
 *
 * @inline
 */
export interface StandardWallet {
  /** As the wallet calls itself. */
  readonly name: string;
  /** By name, such as `solana:signMessage`. */
  readonly features: Readonly<Record<string, unknown>>;
}

/**
 * Options of {@link standardWallet} (SPEC.md sections 4 and 5).
 *
 * @inline
 */
export interface StandardWalletOptions {
  /** The chain that the wallet is told, as in `solana:devnet`. @default the wallet's own choice */
  readonly chain?: `solana:${string}` | undefined;
}

interface SignMessageFeature {
  signMessage(input: {
    readonly account: StandardWalletAccount;
    readonly message: Uint8Array;
  }): Promise<readonly { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }[]>;
}

interface SignTransactionFeature {
  readonly supportedTransactionVersions: readonly (number | string)[];
  signTransaction(input: {
    readonly account: StandardWalletAccount;
    readonly transaction: Uint8Array;
    readonly chain?: string;
  }): Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
}

/**
 * The wallet of an account of the Wallet Standard, through its features `solana:signMessage` and
 * `solana:signTransaction` (SPEC.md sections 4 and 5). Asks the wallet nothing. An account without `solana:signMessage`,
 * as of some hardware, can send transactions of `@service/sdk/chain`; signing in with it is refused with
 * WALLET_CANNOT_SIGN_MESSAGES before anything is asked of it or of the service.
 *
 * @throws ServiceError INVALID_ARGUMENT when the account is none of Solana, or signs no version 0 transactions without
 *   sending them
 * @example
 * const wallet = standardWallet(standard, standard.accounts[0]);
 * await client.authenticate(wallet, deployment.genesisHash);
 */
export function standardWallet(
  wallet: StandardWallet,
  account: StandardWalletAccount,
  { chain }: StandardWalletOptions = {},
): PlainWallet | TransactionWallet {
  const { data: address } = addressField.safeParse(account.address);
  if (!address) throw unusable(wallet, 'the account is not of Solana');
  const signing = featureOf<SignTransactionFeature>(wallet, account, SIGN_TRANSACTION);
  if (!signing) throw unusable(wallet, `it has no ${SIGN_TRANSACTION} for this account`);
  if (!signing.supportedTransactionVersions?.includes(0)) {
    throw unusable(wallet, 'it does not sign version 0 transactions');
  }
  const transactions: TransactionWallet = {
    address,
    async signTransaction(transaction) {
      const input = { account, transaction, ...(chain ? { chain } : {}) };
      return first(await signing.signTransaction(input)).signedTransaction;
    },
  };
  const messages = featureOf<SignMessageFeature>(wallet, account, SIGN_MESSAGE);
  if (!messages) return transactions;
  return {
    ...transactions,
    async signMessage(message) {
      // What it says that it signed is not looked at: the signature must be over the message that was given.
      return first(await messages.signMessage({ account, message })).signature;
    },
  };
}

/** A feature that both the wallet and the account have. */
function featureOf<T>(wallet: StandardWallet, account: StandardWalletAccount, name: string): T | undefined {
  return account.features.includes(name) ? (wallet.features[name] as T | undefined) : undefined;
}

function first<T>(outputs: readonly T[]): T {
  const [output] = outputs;
  if (!output) throw new Error('the wallet answered with nothing');
  return output;
}

function unusable({ name }: StandardWallet, reason: string): ServiceError {
  return new ServiceError('INVALID_ARGUMENT', {
    message: `The wallet ${JSON.stringify(name)} cannot be used: ${reason}. Let the person choose another account or wallet.`,
    context: { field: 'account' },
  });
}
