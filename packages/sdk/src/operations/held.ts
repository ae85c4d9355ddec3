/**
 * Transactions that a wallet returned signed and that this client did not send, such as changed ones. The wallet and the
 * page have their bytes, and can send them. A second operation could then do the same twice, so it waits.
 */
import { type Address, fetchEncodedAccounts, getBase58Decoder, type Signature } from '@solana/kit';
import { alreadySigned, type ClientCore } from '../client/core.ts';
import { ServiceError } from '../errors.ts';
import { callRpc, fetchTransaction, readFinalized, readLatestBlockhash } from '../rpc/chain-rpc.ts';
import { readAnswer } from '../transaction/check-answer.ts';
import { type DurableNonce, nonceOf } from '../transaction/durable-nonce.ts';
import { findByMemo } from './outcome/find-by-memo.ts';
import type { HeldTransaction } from './outcome/outcome.ts';
import { isAbsent, NODES_APART } from './outcome/proof-of-absence.ts';

/** Notes what a wallet returned and this client does not send. */
export function hold(
  core: ClientCore,
  {
    answer,
    ...asked
  }: Pick<HeldTransaction, 'operationId' | 'wallet' | 'signedAtSlot'> & { answer: Uint8Array },
): void {
  const returned = readAnswer(answer);
  // The chain knows a transaction by its first signature, that of the fee payer, which can be another wallet.
  const [first, own] = [Object.values(returned?.signatures ?? {})[0], returned?.signatures[asked.wallet]];
  const signature = first ?? own;
  const held: HeldTransaction = {
    ...asked,
    signature: signature ? (getBase58Decoder().decode(signature) as Signature) : undefined,
    nonce: returned ? nonceOf(returned.messageBytes) : undefined,
  };
  core.ledger.hold(held);
  // Without an answer, the next operation of the wallet asks again.
  noteExpiry(core, held).catch(() => undefined);
}

/** Offset of the nonce in its account: after version, state and authority. */
const NONCE_AT = 40;

/** Returns whether an account still holds a nonce. Throws ServiceError RPC_ERROR, ABORTED. */
function isCurrent({ rpc }: ClientCore, { account, value }: DurableNonce, signal: AbortSignal | undefined) {
  return callRpc('Reading the nonce account', signal, async ({ abortSignal }) => {
    const [found] = await fetchEncodedAccounts(rpc, [account], { commitment: 'finalized', abortSignal });
    if (!found?.exists) return false;
    return getBase58Decoder().decode(found.data.slice(NONCE_AT, NONCE_AT + 32)) === value;
  });
}

/** Seconds of a block: only for the estimate in a message. */
const BLOCK_SECONDS = 0.4;

/** Notes until when a held transaction can land. If the RPC does not answer, the next check reads a later height. */
async function noteExpiry(core: ClientCore, held: HeldTransaction): Promise<void> {
  // The wallet can have used a newer blockhash than the prepared one, and its node can be ahead.
  const latest = await readLatestBlockhash(core, undefined);
  held.lastValidBlockHeight ??= latest.lastValidBlockHeight + NODES_APART;
}

/**
 * Checks that no transaction of a wallet can land that was signed and not sent. Only the chain decides.
 *
 * @throws ServiceError SIGNED_OPERATION_PENDING while one can, OPERATION_ALREADY_SIGNED once one has landed, RPC_ERROR, ABORTED
 */
export async function checkNothingHeld(
  core: ClientCore,
  wallet: Address,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const held of core.ledger.held(wallet)) {
    const { operationId } = held;
    if (held.lastValidBlockHeight === undefined) await noteExpiry(core, held);
    const lastValidBlockHeight = held.lastValidBlockHeight!;
    const landed = await findLanded(core, held, signal);
    if (landed === 'HELD') core.ledger.release(operationId);
    if (landed === 'HELD' || (landed === 'OTHER' && !core.ledger.isOver(operationId))) {
      core.ledger.end(operationId);
      throw alreadySigned(operationId);
    }
    held.isMemoUsed = landed === 'OTHER';
    if (held.nonce && (await isCurrent(core, held.nonce, signal))) throw withNonce(held, held.nonce);
    if (!(await isAbsent(core, { ...held, lastValidBlockHeight }, signal))) {
      const { height } = await readFinalized(core, signal);
      throw stillPossible(held, lastValidBlockHeight - height);
    }
    core.ledger.release(operationId);
    if (!core.ledger.isOver(operationId)) core.ledger.expire(operationId);
  }
}

/**
 * Returns HELD if the chain shows the transaction, OTHER if it shows another one of the wallet with the memo of its
 * operation, and null if neither. Then the wallet has signed both, and the held one may still land.
 */
async function findLanded(
  core: ClientCore,
  held: HeldTransaction,
  signal: AbortSignal | undefined,
): Promise<'HELD' | 'OTHER' | null> {
  const { signature, signedAtSlot } = held;
  // A wallet can return a transaction without the memo.
  if (signature !== undefined && (await fetchFinalized(core, signature, signal)) !== null) return 'HELD';
  // Every node has reached slot 1. With a slot, transactions without a memo are read too, because some RPCs return none.
  const window = { backTo: { slot: signedAtSlot }, asOf: 1n };
  if ((await findByMemo(core, held, window, signal)) === null) return null;
  // Without a signature, nothing tells the two apart.
  return signature === undefined ? 'HELD' : 'OTHER';
}

function fetchFinalized({ rpc }: ClientCore, signature: Signature, signal: AbortSignal | undefined) {
  return callRpc('getTransaction', signal, (options) => fetchTransaction(rpc, signature, options));
}

function withNonce({ operationId, wallet }: HeldTransaction, { account }: DurableNonce): ServiceError {
  return new ServiceError('SIGNED_OPERATION_PENDING', {
    message: `The wallet ${wallet} signed a transaction of the operation ${operationId} with the durable nonce of ${account}. This client did not send the transaction, which never expires. Advance that nonce, or use another wallet. This call signed nothing.`,
    context: { operationId },
    retryable: false,
  });
}

function stillPossible({ operationId, wallet }: HeldTransaction, blocks: bigint): ServiceError {
  const seconds = Math.ceil(Number(blocks + 1n) * BLOCK_SECONDS);
  const when =
    blocks > 0n
      ? `Try again in about ${seconds} seconds.`
      : 'It should have expired, and your own RPC cannot show yet that it has not landed. Try again in a few seconds. If this continues, use an RPC with a longer history.';
  return new ServiceError('SIGNED_OPERATION_PENDING', {
    message: `The wallet ${wallet} signed a transaction of the operation ${operationId}, which this client did not send. The wallet can still send it, and a second operation could do the same again. ${when} This call signed nothing.`,
    context: { operationId, ...(blocks > 0n ? { seconds } : {}) },
  });
}
