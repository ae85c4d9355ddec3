/** Has transactions signed that the API does not prepare, and sends them through the caller's own RPC. */
import type { FailedTransaction } from '@service/protocol';
import {
  type Address,
  getSolanaErrorFromTransactionError,
  isSolanaError,
  type Signature,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
} from '@solana/kit';
import type { ProgramFailure } from '../error-contexts.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { backoff, pause, throwIfAborted, untilAborted, withDeadline } from '../lib/clock.ts';
import {
  type Chain,
  callRpc,
  checkGenesisHash,
  MOST_RPC_MS,
  readFinalized,
  readLatestBlockhash,
  rpcOf,
} from '../rpc/chain.ts';
import { ConfirmedWatch } from '../rpc/confirmed.ts';
import { causeOf } from './failure.ts';
import { type Signed, signTransaction, type Unsigned } from './sign.ts';

/** The instructions to send, the wallet that pays, and other keys that sign. */
export interface ChainTransaction extends Unsigned {
  /** What the transaction does, for messages. */
  readonly what: string;
  /** An action that calls the same programs. It names their errors. @default one that calls the system program */
  readonly action?: FailedTransaction['action'] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A finalized transaction. */
export interface FinalizedTransaction {
  /** Signature of the transaction, base58. */
  readonly signature: Signature;
}

/**
 * Signs and sends a transaction, and waits until it is finalized.
 *
 * @throws ServiceError GENESIS_HASH_MISMATCH, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, WALLET_SIGNATURE_INVALID,
 *   RPC_ERROR or ABORTED before anything is sent; later only TRANSACTION_FAILED, also if the signal fires
 */
export async function sendTransaction(
  chain: Chain,
  transaction: ChainTransaction,
): Promise<FinalizedTransaction> {
  const { what, signal, action = 'BIND_MINT' } = transaction;
  await checkGenesisHash(chain, signal);
  const lifetime = await readLatestBlockhash(chain, signal);
  const signed = await untilSigned(signTransaction(transaction, lifetime), signal, what);
  const { lastValidBlockHeight } = lifetime;
  const { program } = chain.deployment;
  const wallet = transaction.signer.address;
  const sent = { ...signed, lastValidBlockHeight, what, action, program, signal, wallet };
  await broadcastFirst(chain, sent);
  const { onConfirmed } = chain;
  const confirmation = onConfirmed && new ConfirmedWatch(chain, onConfirmed);
  try {
    await untilFinalized(chain, sent, confirmation);
  } finally {
    confirmation?.end();
  }
  return { signature: signed.signature };
}

/**
 * Waits until the wallet has signed. Never returns what it signs after the call has ended.
 *
 * @throws ServiceError ABORTED as soon as the signal fires; otherwise what `signing` throws
 */
export async function untilSigned<T>(
  signing: Promise<T>,
  signal: AbortSignal | undefined,
  what: string,
): Promise<T> {
  try {
    const signed = await untilAborted(signing, signal, what);
    throwIfAborted(signal, what);
    return signed;
  } catch (error) {
    if (!isServiceError(error, 'ABORTED')) throw error;
    throw new ServiceError('ABORTED', {
      message: `${error.message} This client sent nothing. The wallet can still sign and send it, so wait about two minutes before you repeat the call.`,
      cause: error.cause,
    });
  }
}

/** Sends the transaction once. Throws the RPC's error, or ServiceError TIMEOUT or ABORTED: then it may have been sent. */
function broadcast(chain: Chain, { wire, signal }: Sent): Promise<Signature> {
  const bounds = { clock: chain.clock, signal, timeoutMs: MOST_RPC_MS, what: 'sendTransaction' };
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' } as const;
  return withDeadline(bounds, (abortSignal) =>
    rpcOf(chain).sendTransaction(wire, options).send({ abortSignal }),
  );
}

interface Sent extends Signed {
  /** The blockhash has expired above this block height. */
  readonly lastValidBlockHeight: bigint;
  readonly what: string;
  readonly action: FailedTransaction['action'];
  readonly program: Address;
  readonly signal: AbortSignal | undefined;
  readonly wallet: Address;
}

/** Milliseconds after which the wait for a transaction ends, even if its blockhash has not expired. */
const MOST_WAIT_MS = 180_000;

/** Sends the transaction. Throws only if the RPC certainly did not send it: without an answer it may still land. */
async function broadcastFirst(chain: Chain, sent: Sent): Promise<void> {
  try {
    await broadcast(chain, sent);
  } catch (error) {
    if (isRejected(error)) throw rejectedSending(error, sent.what);
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
      return;
    // A provider that forwards a request twice may answer with the error of the second one. That node may be behind and
    // not know the blockhash yet.
    if (isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)) return;
    if (isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)) return;
    const { where, remedy, ...failure } = causeOf(sent, error.cause);
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    const why = failure.programError ? '' : `: ${reason}`;
    const next = remedy ?? remedyOfPreflight(sent, failure);
    const happened = `${sent.what} failed in the preflight of your RPC${where} and was not sent${why}. ${next}`;
    throw failed(sent, happened, { isFinal: true, cause: error, failure });
  }
}

/** Says what to do about a failure that has no remedy of its own. */
function remedyOfPreflight(
  { wallet, programs }: Sent,
  { instruction, programError }: ProgramFailure,
): string {
  if (!programError || programError.code === 1) return `Check that ${wallet} has SOL for rent and fees.`;
  return `Look the error up in the documentation of the program ${programs[instruction!]}.`;
}

/** Returns the error for an RPC that rejected a request to send. `what` begins a sentence. */
export function rejectedSending(error: Error, what: string): ServiceError {
  return new ServiceError('RPC_ERROR', {
    message: `Your RPC rejected sendTransaction: ${error.message}. ${what} was not sent. Check rpcUrl of the deployment and its key, or pass another rpc.`,
    retryable: false,
    cause: error,
  });
}

/** Returns whether the RPC rejected the request itself. */
export function isRejected(error: unknown): error is Error {
  return (
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND) ||
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS) ||
    (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) &&
      [401, 403].includes(error.context.statusCode))
  );
}

async function untilFinalized(
  chain: Chain,
  sent: Sent,
  confirmation: ConfirmedWatch | undefined,
): Promise<void> {
  const { what, signal } = sent;
  const { clock } = chain;
  const deadline = clock.elapsed() + MOST_WAIT_MS;
  let misses = 0;
  for (const delay of backoff({ firstMs: 200, mostMs: 1_500 })) {
    await pause(clock, delay, undefined, what);
    if (signal?.aborted)
      throw failed(sent, `${what} was aborted by the caller after it was sent.`, { isFinal: false });
    const status = await statusOf(chain, sent);
    if (status?.confirmationStatus === 'finalized') {
      if (!status.err) return;
      const { where, remedy, ...failure } = causeOf(sent, getSolanaErrorFromTransactionError(status.err));
      const next = remedy ? ` ${remedy}` : '';
      const happened = `${what} failed on chain${where}. It changed nothing, but the network fee was paid.${next}`;
      throw failed(sent, happened, { isFinal: true, failure });
    }
    if (status?.confirmationStatus === 'confirmed') confirmation?.look(sent.signature);
    if (clock.elapsed() > deadline) {
      const happened = `${what} was not finalized within ${MOST_WAIT_MS / 1000} seconds.`;
      throw failed(sent, happened, { isFinal: false });
    }
    if (status === null && ++misses % 4 === 0) await sendAgain(chain, sent);
  }
}

/** Returns the status of the transaction: null if the RPC does not find it, undefined if the RPC fails. */
function statusOf(chain: Chain, { signature, signal }: Sent) {
  return callRpc(chain, 'getSignatureStatuses', signal, async (rpc, options) => {
    const { value } = await rpc.getSignatureStatuses([signature]).send(options);
    return value[0];
  }).catch(() => undefined);
}

/** Sends the same bytes again, because networks drop transactions. Throws if the blockhash has expired. */
async function sendAgain(chain: Chain, sent: Sent): Promise<void> {
  const { lastValidBlockHeight, what, signal } = sent;
  // Compare heights: a finalized bank does not know a new blockhash yet, so isBlockhashValid would be false.
  const height = await readFinalized(chain, signal).then(
    (final) => final.height,
    () => 0n,
  );
  if (height > lastValidBlockHeight)
    throw failed(sent, `${what} has not landed, and its blockhash has expired.`, { isFinal: false });
  // A node that has the transaction already may answer with an error of the preflight.
  await broadcast(chain, sent).catch(() => undefined);
}

function failed(
  { signature }: Sent,
  happened: string,
  outcome: { readonly isFinal: boolean; readonly cause?: unknown; readonly failure?: ProgramFailure },
): ServiceError {
  const { isFinal, cause, failure } = outcome;
  const message = isFinal
    ? happened
    : `${happened} Look up ${signature} on chain before you repeat the call.`;
  const context = { isFinal, signature, ...failure };
  return new ServiceError('TRANSACTION_FAILED', { message, context, cause });
}
