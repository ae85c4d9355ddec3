import {
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Commitment,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  type Rpc,
  type Signature,
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
    | 'getBlockHeight'
    | 'getLatestBlockhash'
    | 'getMinimumBalanceForRentExemption'
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

interface Pending {
  signature: Signature;
  wire: Base64EncodedWireTransaction;
}

/**
 * Sends every draft and waits until all reached a commitment, sending again what is not there yet.
 * Throws a {@link DeployError} when one failed on chain or the blockhash died first.
 */
export async function sendAll(options: SendOptions): Promise<void> {
  const { rpc, drafts, commitment, preflight, signal } = options;
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send(abortOf(signal));
  let pending = await mapLimited(drafts, async (draft) => {
    const transaction = await signDraft(draft, lifetime);
    const wire = getBase64EncodedWireTransaction(transaction);
    return { signature: getSignatureFromTransaction(transaction), wire };
  });
  const send = ({ wire }: Pending) =>
    rpc
      .sendTransaction(wire, {
        encoding: 'base64',
        skipPreflight: !preflight,
        preflightCommitment: 'processed',
      })
      .send(abortOf(signal));
  await mapLimited(pending, send);
  let sentAt = performance.now();
  for (;;) {
    pending = await stillPending(options, pending);
    if (pending.length === 0) return;
    const height = await rpc.getBlockHeight({ commitment }).send(abortOf(signal));
    if (height > lifetime.lastValidBlockHeight) {
      throw new DeployError(
        'EXPIRED',
        `${options.what}: ${pending.length} transaction(s) never landed; deploy again`,
      );
    }
    if (performance.now() - sentAt > RESEND_MS) {
      // Already accepted once, so a refusal here (an expired blockhash, say) is for the next round to judge.
      await mapLimited(pending, (each) => send(each).catch(() => undefined));
      sentAt = performance.now();
    }
    await pause(POLL_MS, signal);
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
