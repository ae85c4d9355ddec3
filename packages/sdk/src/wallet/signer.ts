/** Asks every kind of wallet for signatures in the same way. */
import {
  type Address,
  createSignableMessage,
  getTransactionDecoder,
  getTransactionEncoder,
  isAddress,
  type SignatureBytes,
  type Transaction,
  type TransactionWithinSizeLimit,
  type TransactionWithLifetime,
} from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { addressOf, FROM_HANDLE, invalidArgument } from '../lib/check-arguments.ts';
import { quotedLocal } from '../lib/quoted.ts';
import { unexpectedError } from '../lib/unexpected-error.ts';
import { verifySignature } from './verify-signature.ts';
import type { Wallet } from './wallet.ts';

/** A wallet as the client uses it: bytes in, bytes out, failures as WALLET_REJECTED. */
export interface Signer {
  readonly address: Address;
  /** The member that a wallet needs to sign messages and does not have. With it, signMessage throws WALLET_CANNOT_SIGN_MESSAGES. */
  readonly lacks: 'signMessage' | 'signMessages' | null;
  /** Returns the ed25519 signature over exactly these bytes, already verified. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
  /** Returns the wire transaction that the wallet returned. It is not verified, and the wallet may have changed it. */
  signTransaction(wire: Uint8Array): Promise<Uint8Array>;
  /**
   * Returns what `signTransaction` returns, for several transactions. Asks once if the wallet can sign them together. Otherwise
   * asks for one after another, and calls `onSigned` after each answer: the wallet has signed something, even if it then rejects
   * the next one.
   */
  signTransactions(wires: readonly Uint8Array[], onSigned?: () => void): Promise<readonly Uint8Array[]>;
}

/** Returns the signer of a wallet. Throws ServiceError INVALID_ARGUMENT when the object is not a wallet. */
export function signerOf(wallet: Wallet): Signer {
  const address: unknown = addressOf(wallet);
  if (typeof address !== 'string' || !isAddress(address)) throw notAWallet('it has no address');
  const ask = { message: messagesOf(wallet, address) };
  const { several, sign: signWires } = transactionsOf(wallet, address);
  const signAll = (wires: readonly Uint8Array[]) =>
    asking(SIGN_TRANSACTION, () => signWires(wires.map((wire) => wire.slice())), wires.length);
  const lacks = ask.message ? null : 'signTransaction' in wallet ? 'signMessage' : 'signMessages';
  return {
    address,
    lacks,
    async signMessage(message) {
      const { message: sign } = ask;
      if (!sign) throw cannotSignMessages({ address, lacks });
      const [signature] = (await asking(SIGN_MESSAGE, () => sign(message.slice()))) as [Uint8Array];
      if (!(await verifySignature(address, message, signature))) {
        throw new ServiceError('WALLET_SIGNATURE_INVALID', {
          message: `The wallet's signature over the message is not valid for ${address}. Choose that account in the wallet and sign again.`,
        });
      }
      return signature;
    },
    signTransaction: async (wire) => (await signAll([wire]))[0]!,
    async signTransactions(wires, onSigned) {
      if (several) return signAll(wires);
      const signed: Uint8Array[] = [];
      for (const wire of wires) {
        signed.push(...(await signAll([wire])));
        onSigned?.();
      }
      return signed;
    },
  };
}

/** Returns the error for a wallet that cannot sign messages. A developer can have passed the wrong object of one that can. */
export function cannotSignMessages({ address, lacks }: Pick<Signer, 'address' | 'lacks'>): ServiceError {
  return new ServiceError('WALLET_CANNOT_SIGN_MESSAGES', {
    message: `The wallet object of ${address} has no ${lacks}, which signing in needs. Pass one that has it: a kit signer of messages and transactions, or { address, signMessage, signTransaction }. If it comes from standardWallet, the account itself cannot sign messages: let the person sign in with another account or wallet. The wallet was not asked.`,
  });
}

/** The signatures of a kit signer by address. */
type SignatureDictionary = Readonly<Record<Address, SignatureBytes>>;

/** One request to a wallet. */
interface Ask {
  /** Calls the wallet, and nothing else. */
  readonly ask: () => Promise<unknown>;
  /** Returns what the client uses of the answer for one of the given bytes. The answer can be anything. */
  readonly read?: (answer: unknown, index: number) => unknown;
}

/** Makes the request for bytes. The wallet may change the bytes. */
type Asks = (bytes: Uint8Array) => Ask;

/** Returns how a wallet is asked to sign messages, or null if it cannot. */
function messagesOf(wallet: Wallet, address: Address): Asks | null {
  if ('signMessage' in wallet && wallet.signMessage)
    return (message) => ({ ask: () => wallet.signMessage(message) });
  if ('modifyAndSignMessages' in wallet) {
    return (message) => {
      const asked = [createSignableMessage(message)];
      return {
        ask: () => wallet.modifyAndSignMessages(asked),
        read: (answer) => bytesOf((answer as { signatures: SignatureDictionary }[])[0]?.signatures[address]),
      };
    };
  }
  if (!('signMessages' in wallet)) return null;
  return (message) => {
    const asked = [createSignableMessage(message)];
    return {
      ask: () => wallet.signMessages(asked),
      read: (answer) => bytesOf((answer as SignatureDictionary[])[0]?.[address]),
    };
  };
}

/** How a wallet is asked to sign transactions. */
interface AsksForTransactions {
  /** Whether it takes more than one at once. */
  readonly several: boolean;
  readonly sign: (wires: readonly Uint8Array[]) => Ask;
}

function transactionsOf(wallet: Wallet, address: Address): AsksForTransactions {
  if ('signTransaction' in wallet) {
    const several = typeof wallet.signAllTransactions === 'function';
    const sign = (wires: readonly Uint8Array[]): Ask =>
      wires.length === 1
        ? { ask: () => wallet.signTransaction(wires[0]!) }
        : { ask: () => wallet.signAllTransactions!(wires), read: at };
    return { several, sign };
  }
  const decoded = (wires: readonly Uint8Array[]) =>
    wires.map((wire) => getTransactionDecoder().decode(wire) as SignableTransaction);
  if ('modifyAndSignTransactions' in wallet) {
    const sign = (wires: readonly Uint8Array[]): Ask => {
      const transactions = decoded(wires);
      return {
        ask: () => wallet.modifyAndSignTransactions(transactions),
        read: (answer, index) => wireOf(() => (answer as Transaction[])[index] ?? transactions[index]!),
      };
    };
    return { several: true, sign };
  }
  if (!('signTransactions' in wallet)) {
    if (Array.isArray((wallet as { features?: unknown }).features)) throw isAccount(address);
    throw notAWallet('it cannot sign transactions without sending them');
  }
  const sign = (wires: readonly Uint8Array[]): Ask => {
    const transactions = decoded(wires);
    return {
      ask: () => wallet.signTransactions(transactions),
      read: (answer, index) =>
        wireOf(() => {
          const transaction = transactions[index]!;
          const signature = (answer as SignatureDictionary[])[index]?.[address] ?? null;
          return { ...transaction, signatures: { ...transaction.signatures, [address]: signature } };
        }),
    };
  };
  return { several: true, sign };
}

const at = (answer: unknown, index: number) => (answer as readonly unknown[])[index];

/** Encodes what a signer returned. It may have signed, so an answer that is no transaction is not a rejection: it is empty. */
function wireOf(read: () => Transaction): Uint8Array {
  try {
    return new Uint8Array(getTransactionEncoder().encode(read()));
  } catch {
    return new Uint8Array();
  }
}

// The type of a kit signer needs the lifetime too, which a wire transaction contains in its message.
type SignableTransaction = Transaction & TransactionWithinSizeLimit & TransactionWithLifetime;

function bytesOf(signature: SignatureBytes | undefined): unknown {
  // An empty signature never verifies. One of zeros can, for an address of small order.
  return signature ?? new Uint8Array();
}

const SIGN_MESSAGE = {
  what: 'sign the message',
  must: 'signMessage must resolve to a Uint8Array of 64 bytes',
};
const SIGN_TRANSACTION = {
  what: 'sign the transaction',
  must: 'signTransaction must resolve to a Uint8Array, the signed transaction in wire form',
};

/**
 * Asks a wallet, in the task of the call, and returns so many byte strings. Only what the wallet itself throws is its
 * rejection.
 *
 * @throws ServiceError WALLET_REJECTED, INVALID_ARGUMENT; UNEXPECTED_ERROR before the wallet is asked
 */
async function asking(
  { what, must }: typeof SIGN_MESSAGE,
  make: () => Ask,
  count = 1,
): Promise<readonly Uint8Array[]> {
  let made: Ask;
  let answer: unknown;
  try {
    made = make();
  } catch (error) {
    throw unexpectedError(`Asking the wallet to ${what}`, error);
  }
  try {
    answer = await made.ask();
  } catch (error) {
    throw new ServiceError('WALLET_REJECTED', {
      message: `The wallet did not ${what}: ${reasonOf(error)}. Nothing was sent. Ask the person again.`,
    });
  }
  try {
    const { read = (whole: unknown) => whole } = made;
    const parts = Array.from({ length: count }, (_, index) => read(answer, index));
    // A Uint8Array of another realm, such as an extension's, fails instanceof.
    const isBytes = (part: unknown): part is Uint8Array =>
      ArrayBuffer.isView(part) && Object.prototype.toString.call(part) === '[object Uint8Array]';
    if (parts.every(isBytes)) return parts.map((part) => new Uint8Array(part));
  } catch {
    // A getter of the answer threw, or its buffer is detached, as after a transfer to a worker.
  }
  throw invalidArgument(
    'wallet',
    `${must}, but the wallet returned something else. This client sent nothing.`,
  );
}

/**
 * Returns the text of what a wallet threw, which need not be an Error. Returns only the text: a cause could carry anything
 * else that the wallet put into its error.
 */
function reasonOf(error: unknown): string {
  let text: unknown;
  try {
    text = (error as { message?: unknown } | null | undefined)?.message;
  } catch {
    // A getter of the wallet's object threw.
  }
  return (typeof text === 'string' && quotedLocal(text).replace(/[.\s]+$/, '')) || 'no reason given';
}

/** Returns the error for an account of the Wallet Standard, or the handle of one, in the place of a wallet. */
function isAccount(address: Address): ServiceError {
  return invalidArgument(
    'wallet',
    `wallet is only the account ${address} of a wallet. Pass standardWallet(wallet, account). If it is a UiWalletAccount: ${FROM_HANDLE}`,
  );
}

function notAWallet(reason: string): ServiceError {
  return invalidArgument(
    'wallet',
    `wallet cannot be used: ${reason}. Pass a kit signer of messages and transactions, { address, signMessage, signTransaction }, or standardWallet(wallet, account).`,
  );
}
