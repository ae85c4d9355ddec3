import {
  type Base64EncodedWireTransaction,
  type Commitment,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  type Rpc,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  type SolanaRpcApi,
} from '@solana/kit';
import { DeployError } from './deploy-error.ts';
import { pause } from './pause.ts';
import { type Draft, signDraft } from './sign-draft.ts';

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
  signal: AbortSignal | undefined;
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
 * Sends all drafts and waits until each has reached a commitment. Broadcasts a draft again until it lands. Signs it with a
 * new blockhash only when the previous one has expired, so each draft lands once.
 *
 * @throws DeployError: REFUSED by preflight, FAILED_ON_CHAIN, EXPIRED after {@link MAX_ROUNDS} blockhashes.
 */
export async function sendAll(options: SendOptions): Promise<void> {
  let { drafts } = options;
  for (let round = 0; round < MAX_ROUNDS && drafts.length > 0; round++) {
    drafts = await sendWithOneBlockhash({ ...options, drafts });
  }
  if (drafts.length === 0) return;
  throw new DeployError(
    'EXPIRED',
    `${options.what}: ${drafts.length} transaction(s) did not land. Check that the cluster processes transactions, then deploy again.`,
  );
}

/** Returns the drafts that had not landed when their blockhash expired. */
async function sendWithOneBlockhash(options: SendOptions): Promise<Draft[]> {
  const { rpc, drafts, commitment, signal } = options;
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(abortOf(signal));
  let pending = await mapLimited(drafts, async (draft) => {
    const transaction = await signDraft(draft, lifetime);
    const wire = getBase64EncodedWireTransaction(transaction);
    await sendWire(options, wire);
    return { draft, wire, signature: getSignatureFromTransaction(transaction) };
  });
  let sentAt = performance.now();
  for (;;) {
    // Read the height before the statuses: what is missing after its blockhash expired can never land.
    const height = await rpc.getBlockHeight({ commitment }).send(abortOf(signal));
    pending = await stillPending(options, pending);
    if (pending.length === 0 || height > lifetime.lastValidBlockHeight)
      return pending.map(({ draft }) => draft);
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
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
      throw error;
    if (isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)) return;
    const logs = error.context.logs ?? [];
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    const message = `${what}: the cluster refused the transaction. ${reason} ${logs.join(' | ')}`.trim();
    throw new DeployError('REFUSED', message, { cause: error, logs });
  }
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
