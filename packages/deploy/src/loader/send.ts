import {
  type Base64EncodedWireTransaction,
  type Commitment,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  type Rpc,
  type Signature,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  type SolanaRpcApi,
} from '@solana/kit';
import { DeployError } from './deploy-error.ts';
import { pause } from './pause.ts';
import { type Draft, type Lifetime, signDraft } from './sign-draft.ts';

/** The methods of a Solana RPC that a deployment calls. */
export type DeployRpc = Rpc<
  Pick<
    SolanaRpcApi,
    | 'getAccountInfo'
    | 'getBalance'
    | 'getBlockHeight'
    | 'getLatestBlockhash'
    | 'getMinimumBalanceForRentExemption'
    | 'getMultipleAccounts'
    | 'getSignatureStatuses'
    | 'getSlot'
    | 'sendTransaction'
  >
>;

export interface SendOptions {
  rpc: DeployRpc;
  drafts: readonly Draft[];
  commitment: Commitment;
  /** Names the transactions in errors. */
  what: string;
  preflight: boolean;
  /**
   * Milliseconds without an answer of the RPC after which the wait for a sent transaction ends as UNCONFIRMED. Pass it for a
   * change that must not be sent twice: it is signed with one blockhash only, because a node that is behind or has forgotten a
   * transaction cannot prove that it did not land. @default the error of the RPC ends the wait at once, and a draft whose
   * blockhash has expired is signed again: each step of a deployment can be repeated
   */
  mostSilenceMs?: number | undefined;
  /** Replaces the blockhash, for one draft. Pass `mostSilenceMs` with it. @default the newest blockhash */
  lifetime?: Lifetime | undefined;
  /** Is called with each signature, before its transaction is sent. */
  onSigned?: ((signature: Signature) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Calls of sendTransaction at the same time. */
const CONCURRENCY = 32;
const POLL_MS = 100;
const RESEND_MS = 2_000;
const STATUSES_PER_CALL = 256;
/** Blockhashes that are tried for a transaction. */
const MAX_ROUNDS = 5;

interface Pending {
  draft: Draft;
  signature: Signature;
  wire: Base64EncodedWireTransaction;
}

/**
 * Sends all drafts and waits until each has reached a commitment. Returns their signatures as they landed. Broadcasts a draft
 * again until it lands. Signs it with a new blockhash only when the previous one has expired.
 *
 * @throws DeployError: REFUSED by preflight, FAILED_ON_CHAIN, EXPIRED after {@link MAX_ROUNDS} blockhashes. With
 *   `mostSilenceMs`, UNCONFIRMED when the RPC was silent for so long after a draft was sent, or does not show it although its
 *   blockhash has expired; without that option, the RPC's error.
 */
export async function sendAll(options: SendOptions): Promise<Signature[]> {
  let { drafts } = options;
  const landed: Signature[] = [];
  for (let round = 0; round < MAX_ROUNDS && drafts.length > 0; round++) {
    drafts = await sendWithOneBlockhash({ ...options, drafts }, landed);
  }
  if (drafts.length === 0) return landed;
  throw new DeployError(
    'EXPIRED',
    `${options.what}: ${drafts.length} transaction(s) did not land. Check that the cluster processes transactions, then deploy again.`,
  );
}

/** Returns the drafts that had not landed when their blockhash expired. Adds the signatures of the others to `landed`. */
async function sendWithOneBlockhash(options: SendOptions, landed: Signature[]): Promise<Draft[]> {
  const { rpc, drafts, commitment, signal } = options;
  const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(abortOf(signal));
  let pending = await mapLimited(drafts, async (draft) => {
    const transaction = await signDraft(draft, options.lifetime ?? latest);
    const wire = getBase64EncodedWireTransaction(transaction);
    const signature = getSignatureFromTransaction(transaction);
    options.onSigned?.(signature);
    await sendWire(options, wire);
    return { draft, wire, signature };
  });
  let sentAt = performance.now();
  let answeredAt = sentAt;
  for (;;) {
    let height: bigint;
    try {
      // Read the height before the statuses: what is missing after its blockhash expired can never land.
      height = await rpc.getBlockHeight({ commitment }).send(abortOf(signal));
      const left = await stillPending(options, pending);
      for (const { signature } of pending.filter((each) => !left.includes(each))) landed.push(signature);
      pending = left;
      answeredAt = performance.now();
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DeployError || options.mostSilenceMs === undefined) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (performance.now() - answeredAt > options.mostSilenceMs)
        throw unconfirmed(
          options,
          pending,
          `stopped responding after the transaction was sent: ${reason}`,
          error,
        );
      await pause(POLL_MS, signal);
      continue;
    }
    if (pending.length === 0) return [];
    if (height > latest.lastValidBlockHeight) {
      if (options.mostSilenceMs === undefined) return pending.map(({ draft }) => draft);
      const fact = options.lifetime ? 'it is valid until its nonce is advanced' : 'its blockhash has expired';
      throw unconfirmed(options, pending, `does not show the transaction, and ${fact}`);
    }
    if (performance.now() - sentAt > RESEND_MS) {
      // The RPC accepted each one before. If it refuses one now, its status says why.
      await mapLimited(pending, ({ wire }) => sendWire(options, wire).catch(() => undefined));
      sentAt = performance.now();
    }
    await pause(POLL_MS, signal);
  }
}

/** Sends one transaction. Ignores an expired blockhash, because the next round takes a new one. */
async function sendWire(options: SendOptions, wire: Base64EncodedWireTransaction): Promise<void> {
  const { rpc, preflight, signal, what } = options;
  const config = { encoding: 'base64', skipPreflight: !preflight, preflightCommitment: 'processed' } as const;
  try {
    await rpc.sendTransaction(wire, config).send(abortOf(signal));
  } catch (error) {
    signal?.throwIfAborted();
    if (isRejected(error)) throw error;
    // Without an answer it may still land.
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
      return;
    if (isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)) return;
    // A provider that forwards a request twice may answer with the error of the second one.
    if (isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)) return;
    const logs = error.context.logs ?? [];
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    const message = `${what}: the cluster refused the transaction. ${reason} ${logs.join(' | ')}`.trim();
    throw new DeployError('REFUSED', `${message}${nonceAdvice(options)}`, { cause: error, logs });
  }
}

/** Returns whether the RPC rejected the request itself, so that nothing was sent. */
function isRejected(error: unknown): boolean {
  return (
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND) ||
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS) ||
    (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) &&
      [401, 403].includes(error.context.statusCode))
  );
}

/** Says how to cancel a transaction with a nonce, which no time limit ends; '' for a blockhash. */
function nonceAdvice({ lifetime }: SendOptions): string {
  if (!lifetime || !('nonce' in lifetime)) return '';
  return ` The signed transaction can still land. Advance the nonce of ${lifetime.nonceAccountAddress} first, with solana new-nonce.`;
}

function unconfirmed(
  options: SendOptions,
  [first, ...others]: readonly Pending[],
  happened: string,
  cause?: unknown,
): DeployError {
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return new DeployError(
    'UNCONFIRMED',
    `${options.what}: the RPC ${happened}. Look up ${first!.signature}${more} on chain before you run the command again.${nonceAdvice(options)}`,
    { cause },
  );
}

async function stillPending(options: SendOptions, pending: readonly Pending[]): Promise<Pending[]> {
  const { rpc, commitment, signal, what } = options;
  const left: Pending[] = [];
  for (let start = 0; start < pending.length; start += STATUSES_PER_CALL) {
    const batch = pending.slice(start, start + STATUSES_PER_CALL);
    const signatures = batch.map(({ signature }) => signature);
    const { value } = await rpc.getSignatureStatuses(signatures).send(abortOf(signal));
    value.forEach((status, index) => {
      if (status?.err) {
        const reason = JSON.stringify(status.err, (_, field) =>
          typeof field === 'bigint' ? Number(field) : field,
        );
        throw new DeployError('FAILED_ON_CHAIN', `${what} failed on chain: ${reason}`);
      }
      if (!status || !hasReached(status.confirmationStatus, commitment)) left.push(batch[index]!);
    });
  }
  return left;
}

const ORDER: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

function hasReached(status: Commitment | null, commitment: Commitment): boolean {
  return status !== null && ORDER.indexOf(status) >= ORDER.indexOf(commitment);
}

/** Runs a task for each item, at most {@link CONCURRENCY} at the same time. Keeps the order of the items. */
async function mapLimited<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await task(items[index]!);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
  return results;
}

/** Returns a signal in the form that kit's RPC calls accept. */
export function abortOf(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {};
}
