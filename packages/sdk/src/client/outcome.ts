/** What became of signed bytes, by the caller's own RPC alone. */
import type { OperationKind } from '@service/contract';
import { memoText, programErrorNameOf } from '@service/protocol';
import {
  type Address,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Signature,
  type TransactionError,
} from '@solana/kit';
import type { FailedOperation } from '../error-codes.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { readAction } from '../receipt/read-action.ts';
import { readLanded } from '../receipt/read-landed.ts';
import { askRpc, type Chain, sendOptions } from './chain-rpc.ts';

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
  if (landed.error) return { state: 'FAILED', failure: failureOf({ operationId, kind }, landed.error) };
  const rule = kind === 'CREATE_RULE_SET' ? { rule: action.rule as Address } : {};
  return {
    state: 'FINALIZED',
    proven: { kind, wallet: landed.wallet, signature, slot: landed.slot, ...rule },
  };
}

function failureOf(
  { operationId, kind }: Pick<SignedOperation, 'operationId' | 'kind'>,
  err: TransactionError,
): FailedOperation {
  const failure = { operationId, reason: 'ON_CHAIN_ERROR' } as const;
  if (typeof err !== 'object' || !('InstructionError' in err)) return failure;
  const [instruction, cause] = err.InstructionError as readonly [number | bigint, unknown];
  const where = { ...failure, instruction: Number(instruction) };
  if (typeof cause !== 'object' || cause === null || !('Custom' in cause)) return where;
  const code = Number(cause.Custom);
  return { ...where, programError: { code, name: programErrorNameOf(kind, code) } };
}

/** Whether a signed transaction that was not seen may land yet. Throws ServiceError RPC_ERROR or ABORTED. */
export async function mayLand(
  { rpc }: Chain,
  { lastValidBlockHeight }: SignedOperation,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { blockHeight } = await askRpc('getEpochInfo', signal, () =>
    rpc.getEpochInfo({ commitment: 'finalized' }).send(sendOptions(signal)),
  );
  return blockHeight <= lastValidBlockHeight;
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
  const { rpc } = chain;
  const send = sendOptions(signal);
  const epoch = await askRpc('getEpochInfo', signal, () =>
    rpc.getEpochInfo({ commitment: 'finalized' }).send(send),
  );
  if (epoch.blockHeight <= signed.lastValidBlockHeight) return false;
  const [statuses, firstBlock] = await askRpc('getSignatureStatuses', signal, () =>
    Promise.all([
      rpc.getSignatureStatuses([signed.signature], { searchTransactionHistory: true }).send(send),
      rpc.getFirstAvailableBlock().send(send),
    ]),
  );
  const wasLookedFor = statuses.context.slot >= epoch.absoluteSlot && firstBlock <= signed.signedAtSlot;
  if (!wasLookedFor || statuses.value[0] !== null) return false;
  return !(await hasMemo(chain, signed, signal));
}

const PAGE = 1_000;

async function hasMemo(
  chain: Chain,
  signed: SignedOperation,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return (await findByMemo(chain, signed, signed.signedAtSlot, signal)) !== null;
}

/**
 * The newest finalized transaction that a wallet signed with the memo of an operation, looked for from now back to a
 * slot; null when the RPC has none. Others that name the wallet carry any memo that they like.
 *
 * @throws ServiceError RPC_ERROR, ABORTED
 */
export async function findByMemo(
  chain: Chain,
  { operationId, wallet }: Pick<SignedOperation, 'operationId' | 'wallet'>,
  backTo: bigint,
  signal: AbortSignal | undefined,
): Promise<Signature | null> {
  const memo = memoText(operationId);
  const seen = new Set<Signature>();
  let before: Signature | undefined;
  for (;;) {
    const options = { commitment: 'finalized', limit: PAGE, ...(before ? { before } : {}) } as const;
    const page = await askRpc('getSignaturesForAddress', signal, () =>
      chain.rpc.getSignaturesForAddress(wallet, options).send(sendOptions(signal)),
    );
    for (const { signature, memo: carried } of page) {
      if (carried?.includes(memo) && (await isPerhapsSignedBy(chain, { signature, wallet }, signal)))
        return signature;
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

/** Whether a wallet is among the signers of a transaction; what the RPC does not show may be. */
async function isPerhapsSignedBy(
  { rpc }: Chain,
  { signature, wallet }: Pick<SignedOperation, 'signature' | 'wallet'>,
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
    return staticAccounts.slice(0, header.numSignerAccounts).includes(wallet);
  } catch {
    return true;
  }
}
