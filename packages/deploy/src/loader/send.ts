import {
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Commitment,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  type Rpc,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  type SolanaRpcApi,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { DeployError } from './deploy-error.ts';

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

/** What one transaction of a deployment is made of; the payer signs first. */
export interface Draft {
  payer: KeyPairSigner;
  signers: readonly KeyPairSigner[];
  instructions: readonly Instruction[];
}

type Lifetime = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0];

/** Signs a draft under a blockhash. */
export async function signDraft({ payer, signers, instructions }: Draft, lifetime: Lifetime) {
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(payer.address, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => compileTransaction(message),
  );
  return partiallySignTransaction(
    [payer, ...signers].map(({ keyPair }) => keyPair),
    transaction,
  );
}

export interface SendOptions {
  rpc: DeployRpc;
  drafts: readonly Draft[];
  commitment: Commitment;
  /** What is being sent, for errors. */
  what: string;
  preflight: boolean;
  signal: AbortSignal | undefined;
}

/** How many sends are under way at once. */
const CONCURRENCY = 32;
const POLL_MS = 100;
const RESEND_MS = 2_000;
const STATUSES_PER_CALL = 256;

/** How many blockhashes are tried before what did not land is given up. */
const MAX_ROUNDS = 5;

interface Pending {
  draft: Draft;
  signature: Signature;
  wire: Base64EncodedWireTransaction;
}

/**
 * Sends every draft and waits until all reached a commitment, sending again what is not there yet,
 * and signing anew what a dead blockhash kept out. A draft lands once: it is signed anew only when
 * the one before can no longer land. Throws a {@link DeployError} when one failed on chain, or
 * when some did not land under {@link MAX_ROUNDS} blockhashes.
 */
export async function sendAll(options: SendOptions): Promise<void> {
  let { drafts } = options;
  if (drafts.length === 0) return;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    drafts = await sendUnderOneBlockhash({ ...options, drafts });
    if (drafts.length === 0) return;
  }
  throw new DeployError(
    'EXPIRED',
    `${options.what}: ${drafts.length} transaction(s) never landed; see whether the cluster takes any, then deploy again`,
  );
}

/** Returns the drafts that did not land while their blockhash lived. */
async function sendUnderOneBlockhash(options: SendOptions): Promise<Draft[]> {
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
    // The height first: what has not landed after its blockhash died never will.
    const height = await rpc.getBlockHeight({ commitment }).send(abortOf(signal));
    pending = await stillPending(options, pending);
    if (pending.length === 0 || height > lifetime.lastValidBlockHeight)
      return pending.map(({ draft }) => draft);
    if (performance.now() - sentAt > RESEND_MS) {
      // Each was accepted once, so that a refusal now says nothing that its status will not say.
      await mapLimited(pending, ({ wire }) => sendWire(options, wire).catch(() => undefined));
      sentAt = performance.now();
    }
    await pause(POLL_MS, signal);
  }
}

/** Sends one transaction; that its blockhash died is left for the next round to mend. */
async function sendWire(options: SendOptions, wire: Base64EncodedWireTransaction): Promise<void> {
  const { rpc, preflight, signal } = options;
  const config = { encoding: 'base64', skipPreflight: !preflight, preflightCommitment: 'processed' } as const;
  try {
    await rpc.sendTransaction(wire, config).send(abortOf(signal));
  } catch (error) {
    const isRefused = isSolanaError(
      error,
      SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
    );
    const isDead =
      isRefused && isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND);
    if (!isDead) throw error;
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
        const cause = JSON.stringify(status.err, (_, field) =>
          typeof field === 'bigint' ? Number(field) : field,
        );
        throw new DeployError('FAILED_ON_CHAIN', `${what} failed on chain: ${cause}`);
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

/** Runs a task for each item, a bounded number at a time, and keeps their order. */
async function mapLimited<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await task(items[index]!);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
  return results;
}

/** Waits, or rejects with the signal's reason. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

export function abortOf(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {};
}
