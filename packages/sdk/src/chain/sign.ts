/** Has a wallet sign a transaction that the API does not prepare. */
import type { AdditionLimits } from '@service/protocol';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase58Decoder,
  getBase64Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  type Signature,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
  type TransactionMessageBytes,
} from '@solana/kit';
import { checkAnswer } from '../transaction/check-answer.ts';
import type { Signer } from '../wallet/signer.ts';

/** Who signs transactions, and how they may be changed. */
interface Signing {
  /** The wallet, which pays. */
  readonly signer: Signer;
  /** What the wallet may add. */
  readonly limits: AdditionLimits;
}

/** What a transaction does, and the other keys that sign it. */
interface Content {
  readonly instructions: readonly Instruction[];
  /** Other keys that sign. */
  readonly keys?: readonly KeyPairSigner[];
}

/** The instructions of a transaction, and who signs it. */
export interface Unsigned extends Signing, Content {}

/** Several transactions that a wallet signs at once. */
export interface SeveralUnsigned extends Signing {
  readonly transactions: readonly Content[];
  /** See `signTransactions` of the signer. */
  readonly onSigned?: () => void;
}

/** The blockhash of a transaction, and until when it is valid. */
export interface Lifetime {
  readonly blockhash: Blockhash;
  /** The blockhash has expired above this block height. */
  readonly lastValidBlockHeight: bigint;
}

/** A transaction with all signatures. */
export interface Signed {
  readonly wire: Base64EncodedWireTransaction;
  readonly signature: Signature;
  /** Programs of its instructions in their order, to name the one that failed. */
  readonly programs: readonly Address[];
  /** Whether the wallet added something. */
  readonly isChanged: boolean;
  /** How many bytes it added. */
  readonly added: number;
}

/** Returns a transaction that a wallet pays for, without signatures. */
export function transactionOf(wallet: Address, instructions: readonly Instruction[], lifetime: Lifetime) {
  return compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(wallet, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );
}

/**
 * Builds a transaction and has it signed. The wallet gets it with the signatures of the keys, because some wallets want
 * them. What it adds makes them void, so the keys sign again what it returned, after the check.
 *
 * @throws ServiceError WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, WALLET_SIGNATURE_INVALID
 */
export async function signTransaction(unsigned: Unsigned, lifetime: Lifetime): Promise<Signed> {
  const wallet = unsigned.signer.address;
  const wire = await wireFor(wallet, unsigned, lifetime);
  return checkedAnswer(unsigned, { ...unsigned, wire, answer: await unsigned.signer.signTransaction(wire) });
}

/**
 * Builds several transactions and has them signed in one request, if the wallet can do that.
 *
 * @throws ServiceError WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, WALLET_SIGNATURE_INVALID
 */
export async function signTransactions(unsigned: SeveralUnsigned, lifetime: Lifetime): Promise<Signed[]> {
  const { signer, transactions, onSigned } = unsigned;
  const wires = await Promise.all(transactions.map((content) => wireFor(signer.address, content, lifetime)));
  const answers = await signer.signTransactions(wires, onSigned);
  return Promise.all(
    transactions.map((content, index) =>
      checkedAnswer(unsigned, { ...content, wire: wires[index]!, answer: answers[index]! }),
    ),
  );
}

async function wireFor(
  wallet: Address,
  { instructions, keys = [] }: Content,
  lifetime: Lifetime,
): Promise<Uint8Array> {
  return wireOf(await signedBy(keys, transactionOf(wallet, instructions, lifetime)));
}

async function checkedAnswer(
  { signer, limits }: Signing,
  { wire, answer, keys = [] }: Content & { readonly wire: Uint8Array; readonly answer: Uint8Array },
): Promise<Signed> {
  const wallet = signer.address;
  const { message, signature, isUnchanged } = await checkAnswer({
    wallet,
    wire,
    answer,
    keys: keys.map(({ address }) => address),
    taken: 'The client sends only the transaction that it built',
    limits,
    isForgotten: true,
  });
  const { transaction, programs } = readMessage(message);
  const signed = await signedBy(keys, transaction);
  const bytes = wireOf({ ...signed, signatures: { ...signed.signatures, [wallet]: signature } });
  return {
    wire: getBase64Decoder().decode(bytes) as Base64EncodedWireTransaction,
    signature: getBase58Decoder().decode(signature) as Signature,
    programs,
    isChanged: !isUnchanged,
    added: bytes.length - wire.length,
  };
}

function signedBy(keys: readonly KeyPairSigner[], transaction: Transaction): Promise<Transaction> {
  return partiallySignTransaction(
    keys.map(({ keyPair }) => keyPair),
    transaction,
  );
}

function wireOf(transaction: Transaction): Uint8Array {
  return new Uint8Array(getTransactionEncoder().encode(transaction));
}

/** Returns the transaction of a message without signatures, and the programs of its instructions. */
function readMessage(message: Uint8Array): { transaction: Transaction; programs: readonly Address[] } {
  const decoded = getCompiledTransactionMessageDecoder().decode(message);
  // The client builds no other, and accepts no other.
  if (decoded.version !== 0) throw new RangeError('the message is not of version 0');
  const { header, staticAccounts, instructions } = decoded;
  const signers = staticAccounts.slice(0, header.numSignerAccounts);
  const signatures: Record<Address, SignatureBytes | null> = Object.fromEntries(
    signers.map((key) => [key, null]),
  );
  return {
    transaction: { messageBytes: message as unknown as TransactionMessageBytes, signatures },
    programs: instructions.map(({ programAddressIndex }) => staticAccounts[programAddressIndex]!),
  };
}
