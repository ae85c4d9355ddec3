/** One way to ask any wallet for a signature, whatever kind it is. */
import {
  type Address,
  createSignableMessage,
  getAddressEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  isAddress,
  type SignatureBytes,
  type Transaction,
  type TransactionWithinSizeLimit,
  type TransactionWithLifetime,
} from '@solana/kit';
import nacl from 'tweetnacl';
import { ServiceError } from '../errors.ts';
import type { PlainWallet, Wallet } from './wallet.ts';

/** A wallet as the client uses it: bytes in, bytes out, failures as WALLET_REJECTED. */
export interface Signer {
  readonly address: Address;
  /** The ed25519 signature over exactly these bytes, already verified. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
  /** What the wallet made of a wire transaction: not verified, perhaps changed. */
  signTransaction(wire: Uint8Array): Promise<Uint8Array>;
}

/** Whether an ed25519 signature is this wallet's over these bytes. */
export function verifySignature(wallet: Address, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  return nacl.sign.detached.verify(message, signature, new Uint8Array(getAddressEncoder().encode(wallet)));
}

/**
 * The signer of a wallet.
 *
 * @throws ServiceError INVALID_ARGUMENT when the object is not a wallet.
 */
export function signerOf(wallet: Wallet): Signer {
  const plain = plainWalletOf(wallet);
  const { address } = plain;
  return {
    address,
    async signMessage(message) {
      const signature = await asking('sign the message', () => plain.signMessage(message.slice()));
      if (!verifySignature(address, message, signature)) {
        throw new ServiceError('WALLET_SIGNATURE_INVALID', {
          message: `The wallet's signature over the sign-in message is not one of ${address}. Choose that account in the wallet and sign again.`,
          context: {},
        });
      }
      return signature;
    },
    signTransaction: (wire) => asking('sign the transaction', () => plain.signTransaction(wire.slice())),
  };
}

function plainWalletOf(wallet: Wallet): PlainWallet {
  if (
    !wallet ||
    typeof wallet !== 'object' ||
    typeof wallet.address !== 'string' ||
    !isAddress(wallet.address)
  ) {
    throw notAWallet('it has no address');
  }
  if ('signMessage' in wallet && 'signTransaction' in wallet) return wallet;
  const { address } = wallet;
  if (!('signMessages' in wallet) && !('modifyAndSignMessages' in wallet)) {
    throw notAWallet('it cannot sign messages');
  }
  if (!('signTransactions' in wallet) && !('modifyAndSignTransactions' in wallet)) {
    throw notAWallet('it cannot sign transactions without sending them');
  }
  return {
    address,
    async signMessage(message) {
      const signable = createSignableMessage(message);
      if ('modifyAndSignMessages' in wallet) {
        const [signed] = await wallet.modifyAndSignMessages([signable]);
        return bytesOf(signed?.signatures[address]);
      }
      const [signatures] = await wallet.signMessages([signable]);
      return bytesOf(signatures?.[address]);
    },
    async signTransaction(wire) {
      const transaction = getTransactionDecoder().decode(wire) as SignableTransaction;
      if ('modifyAndSignTransactions' in wallet) {
        const [signed] = await wallet.modifyAndSignTransactions([transaction]);
        return new Uint8Array(getTransactionEncoder().encode(signed ?? transaction));
      }
      const [signed] = await wallet.signTransactions([transaction]);
      const signatures = { ...transaction.signatures, [address]: signed?.[address] ?? null };
      return new Uint8Array(getTransactionEncoder().encode({ ...transaction, signatures }));
    },
  };
}

// A kit signer's type asks for the lifetime too, which a wire transaction carries inside its message.
type SignableTransaction = Transaction & TransactionWithinSizeLimit & TransactionWithLifetime;

function bytesOf(signature: SignatureBytes | undefined): Uint8Array {
  // Without a signature: zeros, which verify for nobody.
  return signature ? new Uint8Array(signature) : new Uint8Array(64);
}

async function asking(what: string, ask: () => Promise<Uint8Array>): Promise<Uint8Array> {
  let answer: unknown;
  try {
    answer = await ask();
  } catch (error) {
    // Only the text: what else a wallet puts into its error is not known, and a cause would carry it along.
    const reason = error instanceof Error ? error.message : 'no reason given';
    throw new ServiceError('WALLET_REJECTED', {
      message: `The wallet did not ${what}: ${reason}. Nothing was sent; ask the person again.`,
      context: {},
    });
  }
  // Wallets of another realm, such as an extension's, fail instanceof.
  if (ArrayBuffer.isView(answer) && Object.prototype.toString.call(answer) === '[object Uint8Array]') {
    return new Uint8Array(answer as Uint8Array);
  }
  throw new ServiceError('WALLET_REJECTED', {
    message: `The wallet did not ${what}: it answered with something other than bytes. Nothing was sent.`,
    context: {},
  });
}

function notAWallet(reason: string): ServiceError {
  return new ServiceError('INVALID_ARGUMENT', {
    message: `wallet cannot be used: ${reason}. Pass a kit signer of messages and transactions, or { address, signMessage, signTransaction }.`,
    context: { field: 'wallet' },
  });
}
