/**
 * Transactions that a wallet returned signed and that this client did not send, such as changed ones. The wallet and the
 * page have their bytes, and can send them. A second operation could then do the same twice, so it waits.
 */
import { fetchTransaction } from '@service/protocol/absence/finalized-reads';
import { findByMemo } from '@service/protocol/absence/find-by-memo';
import { proveAbsence } from '@service/protocol/absence/prove-absence';
import { type Address, fetchEncodedAccounts, getBase58Decoder, type Signature } from '@solana/kit';
import { ServiceError } from '../../errors.ts';
import {
  type Chain,
  callRpc,
  historyOf,
  NODES_APART,
  readFinalized,
  readLatestBlockhash,
} from '../../rpc/chain.ts';
import { readAnswer, transactionSignature } from '../../transaction/check-answer.ts';
import { type DurableNonce, nonceOf } from '../../transaction/durable-nonce.ts';
import type { OperationsOnChain } from '../state.ts';
import { alreadySigned, type HeldTransaction } from './ledger.ts';

/** Notes what a wallet returned and this client does not send. */
export function hold(
  { operations, chain }: OperationsOnChain,
  {
    answer,
    ...asked
  }: Pick<HeldTransaction, 'operationId' | 'wallet' | 'signedAtSlot'> & { answer: Uint8Array },
): void {
  const returned = readAnswer(answer);
  const held: HeldTransaction = {
    ...asked,
    signature: returned ? transactionSignature(returned) : undefined,
    nonce: returned ? nonceOf(returned.messageBytes) : undefined,
  };
  operations.ledger.hold(held);
  // Without an answer, the next operation of the wallet asks again.
  noteExpiry(chain, held).catch(() => undefined);
}

/** Offset of the nonce in its account: after version, state and authority. */
const NONCE_AT = 40;

/** Returns whether an account still holds a nonce. Throws ServiceError RPC_ERROR, ABORTED. */
function isCurrent(chain: Chain, { account, value }: DurableNonce, signal: AbortSignal | undefined) {
  return callRpc(chain, 'Reading the nonce account', signal, async (rpc, { abortSignal }) => {
    const [found] = await fetchEncodedAccounts(rpc, [account], { commitment: 'finalized', abortSignal });
    if (!found?.exists) return false;
    return getBase58Decoder().decode(found.data.slice(NONCE_AT, NONCE_AT + 32)) === value;
  });
}

/** Seconds of a block: only for the estimate in a message. */
const BLOCK_SECONDS = 0.4;

/** Notes until when a held transaction can land. If the RPC does not answer, the next check reads a later height. */
async function noteExpiry(chain: Chain, held: HeldTransaction, signal?: AbortSignal): Promise<bigint> {
  // The wallet can have used a newer blockhash than the prepared one, and its node can be ahead.
  const latest = await readLatestBlockhash(chain, signal);
  held.lastValidBlockHeight ??= latest.lastValidBlockHeight + NODES_APART;
  return held.lastValidBlockHeight;
}

/**
 * Checks that no transaction of a wallet can land that was signed and not sent. Only the chain decides.
 *
 * @throws ServiceError SIGNED_OPERATION_PENDING while one can, OPERATION_ALREADY_SIGNED once one has landed, RPC_ERROR, ABORTED
 */
export async function checkNothingHeld(
  state: OperationsOnChain,
  wallet: Address,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { ledger } = state.operations;
  for (;;) {
    // Read again each time: a prompt of an earlier call can be answered meanwhile.
    const [held] = ledger.held(wallet);
    if (!held) return;
    const { operationId } = held;
    const fate = await fateOf(state, held, signal);
    if (fate === 'POSSIBLE') throw await stillPossible(state.chain, held, signal);
    if (fate === 'NONCE') throw withNonce(held);
    if (fate !== 'OTHER_LANDED') ledger.release(operationId);
    if (fate === 'ABSENT' && !ledger.isOver(operationId)) ledger.expire(operationId);
    if (fate === 'ABSENT') continue;
    ledger.end(operationId);
    throw alreadySigned(operationId);
  }
}

/**
 * Checks, before a write is prepared, that nothing is held. The same operation, under the caller's key, may be fetched again: the
 * wallet is not asked for it.
 */
export async function checkMayPrepare(
  state: OperationsOnChain,
  { wallet, key }: { readonly wallet: Address; readonly key: string | undefined },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { ledger } = state.operations;
  const own = key === undefined ? undefined : ledger.operationOf({ wallet, key });
  if (ledger.held(wallet).every(({ operationId }) => operationId === own)) return;
  await checkNothingHeld(state, wallet, signal);
}

/** What became of a held transaction. */
type Fate =
  | 'LANDED'
  /** Another transaction of the wallet has landed with the memo, and the operation is not over in the ledger yet. */
  | 'OTHER_LANDED'
  /** It can land until its durable nonce is advanced. */
  | 'NONCE'
  /** It may still land, or the RPC cannot show yet that it cannot. */
  | 'POSSIBLE'
  /** It has not landed, and it can no longer land. */
  | 'ABSENT';

/** Looks at the chain once. Throws ServiceError RPC_ERROR, ABORTED. */
export async function fateOf(
  { operations: { ledger }, chain }: OperationsOnChain,
  held: HeldTransaction,
  signal: AbortSignal | undefined,
): Promise<Fate> {
  const lastValidBlockHeight = held.lastValidBlockHeight ?? (await noteExpiry(chain, held, signal));
  // A wallet can return a transaction without the memo.
  if (await hasLanded(chain, held, signal)) return 'LANDED';
  // Every node has reached slot 1. With a slot, transactions without a memo are read too, because some RPCs return none.
  const window = { backTo: { slot: held.signedAtSlot }, asOf: 1n };
  const { operationId, signedAtSlot } = held;
  const call = historyOf(chain, signal);
  const found = await findByMemo(call, { operationId, wallets: [held.wallet] }, window);
  if (found !== null) {
    // The search also returns a transaction that the RPC lists and does not show.
    if (!found.transaction) return 'POSSIBLE';
    // Without a signature, the two cannot be distinguished.
    if (held.signature === undefined) return 'LANDED';
    if (!ledger.isOver(held.operationId)) return 'OTHER_LANDED';
  }
  if (held.nonce && (await isCurrent(chain, held.nonce, signal))) return 'NONCE';
  const { verdict } = await proveAbsence(call, {
    operationId,
    // If another transaction has used the memo, the wallet has signed both, and the held one may still land.
    wallets: found ? [] : [held.wallet],
    signature: held.signature,
    since: () => ({ slot: signedAtSlot }),
    lastValidBlockHeight,
  });
  return verdict === 'absent' ? 'ABSENT' : 'POSSIBLE';
}

/** Returns whether the chain shows the held transaction. Forgets a signature that landed before the wallet was asked. */
async function hasLanded(
  chain: Chain,
  held: HeldTransaction,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (held.signature === undefined) return false;
  const found = await fetchFinalized(chain, held.signature, signal);
  if (found !== null && found.slot < held.signedAtSlot) held.signature = undefined;
  return found !== null && held.signature !== undefined;
}

function fetchFinalized(chain: Chain, signature: Signature, signal: AbortSignal | undefined) {
  return callRpc(chain, 'getTransaction', signal, (rpc, options) =>
    fetchTransaction(rpc, signature, options),
  );
}

function withNonce({ operationId, wallet, nonce }: HeldTransaction): ServiceError {
  return new ServiceError('SIGNED_OPERATION_PENDING', {
    message: `The wallet ${wallet} signed a transaction of the operation ${operationId} with the durable nonce of ${nonce?.account}. This client did not send the transaction, which never expires. Advance that nonce, or use another wallet. This call sent nothing.`,
    context: { operationId },
    retryable: false,
  });
}

async function stillPossible(
  chain: Chain,
  { operationId, wallet, lastValidBlockHeight = 0n }: HeldTransaction,
  signal: AbortSignal | undefined,
): Promise<ServiceError> {
  const { height } = await readFinalized(chain, signal);
  const blocks = lastValidBlockHeight - height;
  const seconds = Math.ceil(Number(blocks + 1n) * BLOCK_SECONDS);
  const when =
    blocks > 0n
      ? `Try again in about ${seconds} seconds.`
      : 'It should have expired, and your own RPC cannot show yet that it has not landed. Try again in a few seconds. If this continues, use an RPC with a longer history.';
  return new ServiceError('SIGNED_OPERATION_PENDING', {
    message: `The wallet ${wallet} signed a transaction of the operation ${operationId}, which this client did not send. The wallet can still send it, and a second operation could do the same again. ${when} This call sent nothing.`,
    context: { operationId, ...(blocks > 0n ? { seconds } : {}) },
  });
}
