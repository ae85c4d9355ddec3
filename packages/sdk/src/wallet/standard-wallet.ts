/** Wallets of the Wallet Standard, which browser extensions register. The types cover only the parts that the SDK uses. */
import { addressField } from '@service/contract/fields';
import type { ServiceError } from '../errors.ts';
import { checkObject, FROM_HANDLE, invalidArgument } from '../lib/check-arguments.ts';
import type { PlainWallet, TransactionWallet } from './wallet.ts';

const SIGN_MESSAGE = 'solana:signMessage';
const SIGN_TRANSACTION = 'solana:signTransaction';

/** An account of a wallet: a `WalletAccount` of `@wallet-standard/base` is one (SPEC.md sections 4 and 5). */
export interface StandardWalletAccount {
  /** Base58. */
  readonly address: string;
  /** Features that the wallet has for this account. */
  readonly features: readonly string[];
}

/** A wallet: a `Wallet` of `@wallet-standard/base` is one (SPEC.md sections 4 and 5). */
export interface StandardWallet {
  /** Name of the wallet. */
  readonly name: string;
  /** By name, such as `solana:signMessage`. */
  readonly features: Readonly<Record<string, unknown>>;
}

/** Options of {@link standardWallet} (SPEC.md sections 4 and 5). */
export interface StandardWalletOptions {
  /** The chain to pass to the wallet, such as `solana:devnet`. @default the wallet chooses */
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
  signTransaction(
    ...inputs: readonly {
      readonly account: StandardWalletAccount;
      readonly transaction: Uint8Array;
      readonly chain?: string;
    }[]
  ): Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
}

/**
 * Returns the wallet of a Wallet Standard account, which uses the features `solana:signMessage` and
 * `solana:signTransaction` (SPEC.md sections 4 and 5). Does not prompt the person. An account without
 * `solana:signMessage`, as with some hardware, can still send the transactions of `@service/sdk/chain`. Signing in with
 * it throws WALLET_CANNOT_SIGN_MESSAGES before the wallet or the service is called.
 *
 * @throws ServiceError INVALID_ARGUMENT if the account is not a Solana account, or cannot sign version 0 transactions
 *   without sending them
 * @example
 * const wallet = standardWallet(standard, account);
 * await client.authenticate(wallet, deployment.genesisHash);
 */
export function standardWallet(
  wallet: StandardWallet,
  account: StandardWalletAccount,
  options: StandardWalletOptions = {},
): PlainWallet | TransactionWallet {
  checkObject('wallet', wallet, WALLET);
  checkIsNoHandle(wallet);
  checkObject('account', account, ACCOUNT);
  checkObject('options', options, "an object such as { chain: 'solana:devnet' }");
  const { chain } = options;
  if (chain !== undefined && typeof chain !== 'string') {
    throw invalidArgument('chain', "chain must be a string, such as 'solana:devnet'.");
  }
  if (typeof wallet.features !== 'object' || !wallet.features) throw notStandard('wallet', WALLET);
  if (!Array.isArray(account.features)) throw notStandard('account', ACCOUNT);
  const { data: address } = addressField.safeParse(account.address);
  if (!address) throw unusable(wallet, 'the account is not a Solana account');
  const signing = featureOf<SignTransactionFeature>(wallet, account, SIGN_TRANSACTION);
  if (!signing) throw unusable(wallet, `it has no ${SIGN_TRANSACTION} for this account`);
  if (!signing.supportedTransactionVersions?.includes(0)) {
    throw unusable(wallet, 'it does not sign version 0 transactions');
  }
  const signAll = async (given: readonly Uint8Array[]) => {
    const inputs = given.map((transaction) => ({ account, transaction, ...(chain ? { chain } : {}) }));
    const outputs = await signing.signTransaction(...inputs);
    return given.map((_, index) => {
      try {
        return outputs[index]!.signedTransaction;
      } catch {
        // It may have signed, so an answer without a transaction is not a rejection.
        return new Uint8Array();
      }
    });
  };
  const transactions: TransactionWallet = {
    address,
    signTransaction: async (transaction) => (await signAll([transaction]))[0]!,
    signAllTransactions: signAll,
  };
  const messages = featureOf<SignMessageFeature>(wallet, account, SIGN_MESSAGE);
  if (!messages) return transactions;
  return {
    ...transactions,
    async signMessage(message) {
      // Ignore the message that the wallet returns. The signature must be over the message that it was given.
      return first(await messages.signMessage({ account, message })).signature;
    },
  };
}

const WALLET = 'a Wallet of the Wallet Standard: { name, features }';
const ACCOUNT = 'a WalletAccount of the Wallet Standard: { address, features }';

function notStandard(field: 'wallet' | 'account', what: string): ServiceError {
  return invalidArgument(field, `${field} must be ${what}.`);
}

/**
 * Rejects a handle of `@wallet-standard/ui`, which names features without having them. Only the page's own copy of the
 * registry knows the wallet of a handle, so the page must ask it.
 */
function checkIsNoHandle(wallet: StandardWallet): void {
  if (Array.isArray(wallet.features)) throw invalidArgument('wallet', `wallet is a UiWallet. ${FROM_HANDLE}`);
}

/** Returns a feature that both the wallet and the account have. */
function featureOf<T>(wallet: StandardWallet, account: StandardWalletAccount, name: string): T | undefined {
  return account.features.includes(name) ? (wallet.features[name] as T | undefined) : undefined;
}

function first<T>(outputs: readonly T[]): T {
  const [output] = outputs;
  if (!output) throw new Error('the wallet returned nothing');
  return output;
}

function unusable({ name }: StandardWallet, reason: string): ServiceError {
  const quotedName = typeof name === 'string' ? JSON.stringify(name) : 'without a name';
  const message = `The wallet ${quotedName} cannot be used: ${reason}. Let the person choose another account or wallet.`;
  return invalidArgument('account', message);
}
