/** What a simulated wallet can do while a site asks it to sign a transaction. */
import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase64Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
  type Signature,
  type SignatureBytes,
  signBytes,
  type Transaction,
  type TransactionMessageBytes,
} from '@solana/kit';
import { compileMessage, type Message } from '../transaction-message.ts';
import { readMessage, signersOf } from './message.ts';
import { type Outcome, outcomeOf, type SimulatedWalletRpc } from './outcome.ts';

/** How a simulated wallet is set up. */
export interface WalletSettings {
  readonly rpc: SimulatedWalletRpc | undefined;
  readonly mainnet: boolean;
  readonly microLamports: bigint;
  readonly accomplice: Address;
  readonly nonce: { readonly account: Address; readonly value: string };
}

/** What a wallet has signed and sent. */
export interface WalletRecord {
  /** Signed transactions in wire form, in their order. */
  readonly signed: Uint8Array[];
  /** Signatures of the transactions that the wallet itself sent. */
  readonly sent: Signature[];
}

/** A transaction that a site asks a wallet to sign, and what the wallet can do with it. */
export interface Prompt {
  readonly wallet: Address;
  readonly settings: WalletSettings;
  readonly message: Message;
  /** Resolves when the test lets the wallet answer. */
  readonly released: Promise<void>;
  /** Signs the transaction unchanged. */
  signOriginal(): Promise<Uint8Array>;
  /** Signs another message: compiled bytes, or one to compile in the usual order. */
  sign(message: Message | Uint8Array): Promise<Uint8Array>;
  /** Sends a signed transaction without a simulation before it. */
  send(wire: Uint8Array): Promise<void>;
  /** Simulates a message. Resolves to null if it fails. */
  simulate(message: Message): Promise<Outcome | null>;
  /** Returns the newest blockhash. */
  latestBlockhash(): Promise<string>;
}

/** What a wallet returns to the site: a signed transaction in wire form. */
export type Answer = (prompt: Prompt) => Promise<Uint8Array>;

/**
 * Returns the wallet's answer to a transaction in wire form. Signs a transaction unchanged if it has lookup tables, or if
 * somebody has already signed it: a change would void the other signature.
 */
export async function answerTo(
  wire: Uint8Array,
  answer: Answer,
  {
    signer,
    settings,
    record,
    released,
  }: {
    readonly signer: KeyPairSigner;
    readonly settings: WalletSettings;
    readonly record: WalletRecord;
    readonly released: Promise<void>;
  },
): Promise<Uint8Array> {
  const wallet = signer.address;
  const original = getTransactionDecoder().decode(wire);
  const signTransaction = async ({ messageBytes, signatures }: Transaction): Promise<Uint8Array> => {
    if (!(wallet in signatures)) throw new Error(`The transaction needs no signature of ${wallet}.`);
    const signature = (await signBytes(signer.keyPair.privateKey, messageBytes)) as SignatureBytes;
    const signed = { messageBytes, signatures: { ...signatures, [wallet]: signature } };
    const bytes = new Uint8Array(getTransactionEncoder().encode(signed as Transaction));
    record.signed.push(bytes);
    return bytes;
  };
  const signOriginal = () => signTransaction(original);
  const isSigned = Object.values(original.signatures).some((signature) => signature !== null);
  const message = isSigned ? null : readMessage(new Uint8Array(original.messageBytes));
  if (!message) return signOriginal();
  const rpcOf = () => {
    if (!settings.rpc) throw new Error('This wallet needs the option rpc.');
    return settings.rpc;
  };
  return answer({
    wallet,
    settings,
    message,
    released,
    signOriginal,
    sign(changed) {
      const bytes = changed instanceof Uint8Array ? changed : compileMessage(changed);
      const signatures = Object.fromEntries(signersOf(bytes).map((key) => [key, null]));
      return signTransaction({
        messageBytes: bytes as never as TransactionMessageBytes,
        signatures,
      } as Transaction);
    },
    send: async (signed) => void record.sent.push(await sendWire(rpcOf(), signed)),
    simulate: (changed) => outcomeOf(rpcOf(), changed, wallet),
    async latestBlockhash() {
      const { value } = await rpcOf().getLatestBlockhash({ commitment: 'processed' }).send();
      return value.blockhash;
    },
  });
}

/** Sends a signed transaction without a simulation before it. */
export function sendWire(rpc: SimulatedWalletRpc, wire: Uint8Array): Promise<Signature> {
  const encoded = getBase64Decoder().decode(wire) as Base64EncodedWireTransaction;
  return rpc.sendTransaction(encoded, { encoding: 'base64', skipPreflight: true }).send();
}
