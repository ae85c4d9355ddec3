/** What became of signed bytes, by the caller's own RPC alone. */
import type { OperationKind } from '@service/contract';
import { decodeTransactionError, memoText } from '@service/protocol';
import {
  type Address,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Signature,
} from '@solana/kit';
import type { FailedOperation } from '../error-contexts.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { readAction } from '../receipt/read-action.ts';
import { readLanded } from '../receipt/read-landed.ts';
import { askFinalized, askRpc, type Chain, sendOptions } from '../rpc/chain-rpc.ts';

/** A transaction whose signed bytes have left this client. */
export interface SignedOperation {
  readonly operationId: string;
  readonly kind: OperationKind;
  readonly wallet: Address;
  /** Base58. */
  readonly signature: Signature;
  /** A slot before the signature existed. */
  readonly signedAtSlot: bigint;
  /** A height past which the transaction's blockhash is dead for certain. */
  readonly lastValidBlockHeight: bigint;
}

/** Which transaction is looked for: of an operation, with this signature. */
export interface WantedTransaction {
  readonly operationId: string;
  readonly signature: Signature;
  /** Who must have signed it; any wallet, where the signature is the caller's own word. */
  readonly wallet?: Address | undefined;
}

/** What the chain shows of a finalized operation. */
export interface Proven {
  readonly kind: OperationKind;
  readonly wallet: Address;
  readonly signature: Signature;
  readonly slot: bigint;
  /** Of CREATE_RULE_SET alone. */
  readonly rule?: Address;
}

/** What the chain shows at finalized commitment. */
export type Outcome =
  | { readonly state: 'FINALIZED'; readonly proven: Proven }
  | { readonly state: 'FAILED'; readonly failure: FailedOperation }
  | { readonly state: 'UNSEEN' }
  /** There is such a transaction, but not of this operation. */
  | { readonly state: 'FOREIGN' };

/** Looks for a transaction on the caller's RPC. Throws ServiceError RPC_ERROR or ABORTED. */
export async function readOutcome(
  chain: Chain,
  { operationId, signature, wallet }: WantedTransaction,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const landed = await readLanded(chain.rpc, signature, signal).catch((error: unknown) => {
    if (isServiceError(error, 'RECEIPT_INVALID')) return undefined;
    throw error;
  });
  if (landed === null) return { state: 'UNSEEN' };
  if (landed === undefined) return { state: 'FOREIGN' };
  if (wallet !== undefined && landed.wallet !== wallet) return { state: 'FOREIGN' };
  if (landed.memo !== memoText(operationId)) return { state: 'FOREIGN' };
  const action = readAction(chain.deployment.program, landed.action);
  if (!action) return { state: 'FOREIGN' };
  const { kind } = action;
  if (landed.error) {
    const { cause: _, ...failure } = decodeTransactionError(kind, landed.error);
    return { state: 'FAILED', failure: { operationId, reason: 'ON_CHAIN_ERROR', ...failure } };
  }
  const rule = kind === 'CREATE_RULE_SET' ? { rule: action.rule as Address } : {};
  return {
    state: 'FINALIZED',
    proven: { kind, wallet: landed.wallet, signature, slot: landed.slot, ...rule },
  };
}

/** Whether a signed transaction that was not seen may land yet. Throws ServiceError RPC_ERROR or ABORTED. */
export async function mayLand(
  chain: Chain,
  { lastValidBlockHeight }: SignedOperation,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return (await askFinalized(chain, signal)).height <= lastValidBlockHeight;
}

/**
 * Whether the chain shows that a signed transaction never landed and never can: its blockhash is dead at finalized, no
 * status is found past that height by a node whose history reaches back to before the signature, and no finalized
 * transaction of the wallet carries the operation's memo. One look; callers look twice.
 */
export async function isAbsent(
  chain: Chain,
  signed: SignedOperation,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { height, slot } = await askFinalized(chain, signal);
  if (height <= signed.lastValidBlockHeight) return false;
  if (!(await isUnheardOf(chain, signed.signature, slot, signal))) return false;
  const asFinalIn = { backTo: signed.signedAtSlot, asOf: slot };
  if ((await findByMemo(chain, signed, asFinalIn, signal)) !== null) return false;
  // Asked last, because it only grows.
  return (await firstBlockOf(chain, signal)) <= signed.signedAtSlot;
}

/**
 * Whether a node that is no older than a slot does not know a signature.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export function isUnheardOf(
  { rpc }: Chain,
  signature: Signature,
  asOf: bigint,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return askRpc('getSignatureStatuses', signal, async () => {
    const { context, value } = await rpc
      .getSignatureStatuses([signature], { searchTransactionHistory: true })
      .send(sendOptions(signal));
    return context.slot >= asOf && value[0] === null;
  });
}

/**
 * Where the history of the caller's RPC begins.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export function firstBlockOf({ rpc }: Chain, signal: AbortSignal | undefined): Promise<bigint> {
  return askRpc('getFirstAvailableBlock', signal, async () =>
    // Of null BigInt makes no zero, as a comparison would.
    BigInt(await rpc.getFirstAvailableBlock().send(sendOptions(signal))),
  );
}

const PAGE = 1_000;

/** Where a transaction is looked for. */
export interface HistoryWindow {
  readonly backTo: bigint;
  readonly asOf: bigint;
  /** Wallets with the signatures that were found to be of something else, kept by whoever looks again. */
  readonly others?: Set<string>;
}

/**
 * The newest finalized transaction that a wallet signed with the memo of an operation, looked for from now back to a
 * slot, by a node that is no older than `asOf`, a slot or 0 while its absence would prove nothing; null when the RPC has
 * none. Others that name the wallet carry any memo that they like.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export async function findByMemo(
  chain: Chain,
  { operationId, wallet }: Pick<SignedOperation, 'operationId' | 'wallet'>,
  { backTo, asOf, others = new Set() }: HistoryWindow,
  signal: AbortSignal | undefined,
): Promise<Signature | null> {
  const memo = memoText(operationId);
  const seen = new Set<Signature>();
  let before: Signature | undefined;
  for (;;) {
    const options = {
      commitment: 'finalized',
      limit: PAGE,
      ...(asOf > 0n ? { minContextSlot: asOf } : {}),
      ...(before ? { before } : {}),
    } as const;
    const page = await askRpc('getSignaturesForAddress', signal, async () =>
      Array.from(await chain.rpc.getSignaturesForAddress(wallet, options).send(sendOptions(signal))),
    );
    for (const { signature, memo: carried, slot } of page) {
      // Some RPCs tell no memos: when an absence is to be proven, the transaction itself is asked.
      const isUntold = !carried && asOf > 0n && !(slot < backTo);
      if (!(isUntold || carried?.includes(memo)) || others.has(wallet + signature)) continue;
      // What the RPC tells as the memo counts, whatever transaction it shows.
      const untold = isUntold ? memo : '';
      if (await isPerhapsOf(chain, { signature, wallet, memo: untold }, signal)) return signature;
      others.add(wallet + signature);
    }
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || oldest.slot < backTo) return null;
    if (seen.has(oldest.signature)) {
      throw new ServiceError('RPC_ERROR', {
        message: `getSignaturesForAddress shows the same transactions of ${wallet} page after page on your own RPC. Use another one.`,
        context: {},
      });
    }
    seen.add(oldest.signature);
    before = oldest.signature;
  }
}

/** Whether a transaction holds a memo and a wallet is among its signers; what the RPC does not show may be such a one. */
async function isPerhapsOf(
  { rpc }: Chain,
  { signature, wallet, memo }: Pick<SignedOperation, 'signature' | 'wallet'> & { readonly memo: string },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const found = await askRpc('getTransaction', signal, () =>
    rpc
      .getTransaction(signature, {
        commitment: 'finalized',
        encoding: 'base64',
        maxSupportedTransactionVersion: 0,
      })
      .send(sendOptions(signal)),
  );
  if (!found) return true;
  try {
    const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(found.transaction[0]));
    const { header, staticAccounts } = getCompiledTransactionMessageDecoder().decode(messageBytes);
    // Byte by byte: the memo is ASCII.
    const holdsMemo = new TextDecoder('latin1').decode(new Uint8Array(messageBytes)).includes(memo);
    return holdsMemo && staticAccounts.slice(0, header.numSignerAccounts).includes(wallet);
  } catch {
    return true;
  }
}
