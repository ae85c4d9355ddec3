/** Transactions that the API does not prepare: built here, signed by the wallet, sent through the caller's own RPC. */
import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase58Decoder,
  getBase64Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  type Signature,
  type SignatureBytes,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { backoff, pause, throwIfAborted, untilAborted, withDeadline } from '../lib/deadline.ts';
import {
  type Chain,
  callRpc,
  checkGenesisHash,
  MOST_RPC_MS,
  readFinalized,
  sendOptions,
} from '../rpc/chain-rpc.ts';
import { changedTransactionError } from '../transaction/changed-transaction-error.ts';
import { sameBytes } from '../transaction/compare-messages.ts';
import type { Signer } from '../wallet/signer.ts';
import { verifySignature } from '../wallet/verify-signature.ts';

/** What is sent: instructions that the wallet pays for, with signatures of other keys if they need some. */
export interface ChainTransaction {
  readonly signer: Signer;
  readonly instructions: readonly Instruction[];
  readonly keys?: readonly KeyPairSigner[];
  /** What it does, for messages. */
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Signs, sends, and waits until the transaction is finalized. Returns its signature in base58.
 *
 * @throws ServiceError GENESIS_HASH_MISMATCH, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, WALLET_SIGNATURE_INVALID,
 *   RPC_ERROR and ABORTED while nothing was sent; TRANSACTION_FAILED for everything after, also when the signal fires
 */
export async function sendTransaction(chain: Chain, transaction: ChainTransaction): Promise<Signature> {
  const { what, signal } = transaction;
  await checkGenesisHash(chain, signal);
  const { value: lifetime } = await callRpc('getLatestBlockhash', signal, () =>
    chain.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(sendOptions(signal)),
  );
  // What a wallet signs after the call has ended is never sent.
  const { wire, signature } = await untilAborted(signed(transaction, lifetime), signal, what);
  throwIfAborted(signal, what);
  const sent = {
    wire,
    signature,
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    what,
    signal,
    wallet: transaction.signer.address,
  };
  await broadcastFirst(chain, sent);
  await untilFinalized(chain, sent);
  return signature;
}

async function signed(
  { signer, instructions, keys = [] }: ChainTransaction,
  lifetime: { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint },
): Promise<{ wire: Base64EncodedWireTransaction; signature: Signature }> {
  const unsigned = compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(signer.address, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );
  const partly = await partiallySignTransaction(
    keys.map(({ keyPair }) => keyPair),
    unsigned,
  );
  const answer = await signer.signTransaction(new Uint8Array(getTransactionEncoder().encode(partly)));
  const own = await walletSignature(answer, signer.address, partly);
  const signatures = { ...partly.signatures, [signer.address]: own };
  const bytes = getTransactionEncoder().encode({ ...partly, signatures });
  return {
    wire: getBase64Decoder().decode(bytes) as Base64EncodedWireTransaction,
    signature: getBase58Decoder().decode(own) as Signature,
  };
}

/** The wallet's signature, taken only over the message that it was given. */
async function walletSignature(
  answer: Uint8Array,
  wallet: Address,
  given: Transaction,
): Promise<SignatureBytes> {
  const message = new Uint8Array(given.messageBytes);
  const returned = decode(answer);
  const returnedMessage = new Uint8Array(returned?.messageBytes ?? []);
  if (!returned || !sameBytes(returnedMessage, message)) {
    throw changedTransactionError(message, returned && returnedMessage, 'Only what was built here is sent');
  }
  const signature = returned.signatures[wallet];
  if (signature && (await verifySignature(wallet, message, new Uint8Array(signature)))) return signature;
  throw new ServiceError('WALLET_SIGNATURE_INVALID', {
    message: `The wallet's signature is not one of ${wallet} over the transaction. Choose that account in the wallet. Nothing was sent.`,
    context: {},
  });
}

function decode(wire: Uint8Array): Transaction | null {
  try {
    return getTransactionDecoder().decode(wire);
  } catch {
    return null;
  }
}

/** Throws what the RPC throws, and ServiceError TIMEOUT or ABORTED: whether anything was sent is not known then. */
function broadcast(chain: Chain, { wire, signal }: Pick<Sent, 'wire' | 'signal'>): Promise<Signature> {
  const options = { signal, timeoutMs: MOST_RPC_MS, what: 'sendTransaction' };
  return withDeadline(options, (bounded) =>
    chain.rpc
      .sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' })
      .send(sendOptions(bounded)),
  );
}

interface Sent {
  readonly wire: Base64EncodedWireTransaction;
  readonly signature: Signature;
  /** Past it the transaction's blockhash is dead. */
  readonly lastValidBlockHeight: bigint;
  readonly what: string;
  readonly signal: AbortSignal | undefined;
  readonly wallet: Address;
}

/** Milliseconds after which a transaction that is neither final nor dead is given up on. */
const PATIENCE_MS = 180_000;

/**
 * Only a refusal of the preflight, or of the request as such, says that nothing was sent: a lost answer may hide a
 * transaction that lands.
 */
async function broadcastFirst(chain: Chain, sent: Sent): Promise<void> {
  try {
    await broadcast(chain, sent);
  } catch (error) {
    if (isRefused(error)) {
      throw new ServiceError('RPC_ERROR', {
        message: `Your RPC sends no transactions for you: ${error.message}. ${sent.what} was not sent. Check rpcUrl of the deployment and its key, or pass another rpc.`,
        context: {},
        retryable: false,
        cause: error,
      });
    }
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
      return;
    // A provider that forwards a request twice answers with the refusal of the second, which a node may give that is
    // behind: it does not know the blockhash yet.
    if (isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)) return;
    if (isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)) return;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw failed(
      sent,
      `${sent.what} was refused by your RPC before it was sent: ${reason}. Does ${sent.wallet} have SOL for rent and fees?`,
      { isFinal: true, cause: error },
    );
  }
}

/** Whether the RPC has refused to do anything with the request. */
function isRefused(error: unknown): error is Error {
  return (
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND) ||
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS) ||
    (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) &&
      [401, 403].includes(error.context.statusCode))
  );
}

async function untilFinalized(chain: Chain, sent: Sent): Promise<void> {
  const { what, signal } = sent;
  const deadline = performance.now() + PATIENCE_MS;
  let misses = 0;
  for (const delay of backoff({ firstMs: 200, mostMs: 1_500 })) {
    await pause(delay, undefined, what);
    if (signal?.aborted) throw failed(sent, `The wait for ${what} was aborted`, { isFinal: false });
    const status = await statusOf(chain, sent);
    if (status?.err && status.confirmationStatus === 'finalized') {
      throw failed(sent, `${what} failed on chain: nothing changed but the network fee.`, { isFinal: true });
    }
    if (status?.confirmationStatus === 'finalized') return;
    if (performance.now() > deadline) {
      throw failed(sent, `${what} was not final after ${PATIENCE_MS / 1000} seconds`, { isFinal: false });
    }
    if (status === null && ++misses % 4 === 0) await again(chain, sent);
  }
}

/** What the RPC says of the transaction: null when it is not found, undefined when the RPC fails, which says nothing. */
function statusOf(chain: Chain, { signature, signal }: Sent) {
  return callRpc('getSignatureStatuses', signal, async () => {
    const { value } = await chain.rpc.getSignatureStatuses([signature]).send(sendOptions(signal));
    return value[0];
  }).catch(() => undefined);
}

/** Networks drop transactions: the same bytes go out again until they land or their blockhash is dead. */
async function again(chain: Chain, sent: Sent): Promise<void> {
  const { lastValidBlockHeight, what, signal } = sent;
  // By the height: what is final does not know a young blockhash yet.
  const height = await readFinalized(chain, signal).then(
    (final) => final.height,
    () => 0n,
  );
  if (height > lastValidBlockHeight)
    throw failed(sent, `${what} has not landed and its blockhash is dead`, { isFinal: false });
  // A node that has it already may say so as a failure of the preflight.
  await broadcast(chain, sent).catch(() => undefined);
}

function failed(
  { signature }: Sent,
  what: string,
  { isFinal, cause }: { readonly isFinal: boolean; readonly cause?: unknown },
): ServiceError {
  const message = isFinal ? what : `${what}: look up ${signature} on chain before you repeat it.`;
  return new ServiceError('TRANSACTION_FAILED', {
    message,
    context: { isFinal, signature },
    ...(cause === undefined ? {} : { cause }),
  });
}
