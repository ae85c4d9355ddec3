/** What became of signed bytes, by the caller's own RPC alone. */
import type { OperationKind } from '@service/contract';
import { MEMO_PROGRAM, memoText, programErrorNameOf, splitWireTransaction } from '@service/protocol';
import {
  type Address,
  getBase58Decoder,
  getBase64Encoder,
  type Signature,
  type TransactionError,
} from '@solana/kit';
import type { FailedOperation } from '../error-codes.ts';
import { askRpc, type Chain, sendOptions } from './chain-rpc.ts';
import { readMessage, sameBytes } from './compare-messages.ts';

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
export type WantedTransaction = Pick<SignedOperation, 'operationId' | 'kind' | 'wallet' | 'signature'>;

/** What the chain shows at finalized commitment. */
export type Outcome =
  | { readonly state: 'FINALIZED'; readonly slot: bigint }
  | { readonly state: 'FAILED'; readonly slot: bigint; readonly failure: FailedOperation }
  | { readonly state: 'UNSEEN' }
  /** There is such a transaction, but not of this operation. */
  | { readonly state: 'FOREIGN' };

/** Looks for a transaction on the caller's RPC. Throws ServiceError RPC_ERROR or ABORTED. */
export async function readOutcome(
  chain: Chain,
  wanted: WantedTransaction,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const landed = await askRpc('getTransaction', signal, () =>
    chain.rpc
      .getTransaction(wanted.signature, {
        commitment: 'finalized',
        encoding: 'base64',
        maxSupportedTransactionVersion: 0,
      })
      .send(sendOptions(signal)),
  );
  if (!landed?.meta) return { state: 'UNSEEN' };
  const wire = new Uint8Array(getBase64Encoder().encode(landed.transaction[0]));
  if (!isOfOperation(wire, wanted)) return { state: 'FOREIGN' };
  const { err } = landed.meta;
  if (!err) return { state: 'FINALIZED', slot: landed.slot };
  return { state: 'FAILED', slot: landed.slot, failure: failureOf(wanted, err) };
}

function isOfOperation(wire: Uint8Array, { operationId, wallet, signature }: WantedTransaction): boolean {
  const split = splitWireTransaction(wire);
  const message = split && readMessage(split.message);
  if (!message || getBase58Decoder().decode(split.signature) !== signature) return false;
  const memo = message.instructions[0];
  return (
    message.feePayer === wallet &&
    memo?.program === MEMO_PROGRAM &&
    sameBytes(memo.data, new TextEncoder().encode(memoText(operationId)))
  );
}

function failureOf({ operationId, kind }: WantedTransaction, err: TransactionError): FailedOperation {
  const failure = { operationId, reason: 'ON_CHAIN_ERROR' } as const;
  if (typeof err !== 'object' || !('InstructionError' in err)) return failure;
  const [instruction, cause] = err.InstructionError as readonly [number | bigint, unknown];
  const where = { ...failure, instruction: Number(instruction) };
  if (typeof cause !== 'object' || cause === null || !('Custom' in cause)) return where;
  const code = Number(cause.Custom);
  return { ...where, programError: { code, name: programErrorNameOf(kind, code) } };
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
 * The newest finalized transaction of a wallet with the memo of an operation, looked for from now back to a slot; null
 * when the RPC has none.
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
  let before: Signature | undefined;
  for (;;) {
    const options = { commitment: 'finalized', limit: PAGE, ...(before ? { before } : {}) } as const;
    const page = await askRpc('getSignaturesForAddress', signal, () =>
      chain.rpc.getSignaturesForAddress(wallet, options).send(sendOptions(signal)),
    );
    const found = page.find((entry) => entry.memo?.includes(memo));
    if (found) return found.signature;
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || oldest.slot < backTo) return null;
    before = oldest.signature;
  }
}
