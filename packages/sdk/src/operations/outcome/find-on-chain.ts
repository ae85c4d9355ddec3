/** Finds an operation that this client did not sign, as after a page load. The service is not trusted here. */
import { memoText } from '@service/protocol';
import { findByMemo, type HistoryWindow } from '@service/protocol/absence/find-by-memo';
import type { HistoryStart } from '@service/protocol/absence/history-reads';
import { proveAbsence } from '@service/protocol/absence/prove-absence';
import type { Address, Signature } from '@solana/kit';
import { isServiceError } from '../../errors.ts';
import { unixSeconds } from '../../lib/clock.ts';
import { actionUnder, readLanded } from '../../receipt/landed.ts';
import {
  type Chain,
  callRpc,
  checkGenesisHash,
  historyOf,
  NODES_APART,
  orIfRpcFails,
  readLatestBlockhash,
} from '../../rpc/chain.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../../session/check-challenge.ts';
import type { OperationsOnChain } from '../state.ts';
import type { SignedOperation } from './ledger.ts';
import { signatureOfAnother } from './wait-errors.ts';

/** A search for one operation, over several looks. */
export interface Search {
  readonly state: OperationsOnChain;
  readonly operationId: string;
  /** The wallets that may have signed it. */
  readonly wallets: readonly Address[];
  /** The only one of them that counts, if the caller named one. */
  readonly wallet: Address | undefined;
  /** The only transaction that counts, if the caller kept its signature. */
  readonly signature: Signature | undefined;
  /** The caller's word, in Unix seconds by this machine's clock: it was not prepared before. */
  readonly preparedAt: bigint | undefined;
  /** The service's word for when it was prepared, in Unix seconds. It counts only if it is earlier. */
  createdAt?: bigint | undefined;
  /** A slot before this client asked a wallet to sign it, if it did. */
  readonly askedAtSlot: bigint | undefined;
  /** See {@link HistoryWindow}. */
  readonly others: Set<string>;
  /** The last height at which a blockhash is valid that existed when the search began. */
  lastValidBlockHeight?: bigint;
}

/**
 * Looks for the operation on the chain once. Returns the transaction if it is there; ABSENT if it is not there and
 * can no longer land; UNCLEAR while it can, or if the RPC fails or cannot know.
 *
 * @throws ServiceError INVALID_ARGUMENT if the signature belongs to another operation, GENESIS_HASH_MISMATCH, ABORTED
 */
export async function findOnChain(
  search: Search,
  signal: AbortSignal | undefined,
): Promise<SignedOperation | 'ABSENT' | 'UNCLEAR'> {
  const { operationId, wallets, wallet, signature, others } = search;
  const { chain } = search.state;
  const call = historyOf(chain, signal);
  try {
    search.lastValidBlockHeight ??= await readLastHeight(chain, signal);
    const own = signature && (await readTrace(search, { signature, wallet }, signal));
    if (own) return own;
    // Past this height, every blockhash that was valid when the search began has expired. What was signed before cannot land.
    const { lastValidBlockHeight } = search;
    const since = (newest: bigint) => beginningOf(search, newest, signal);
    const missing = { operationId, wallets, signature, since, lastValidBlockHeight, others };
    const look = await orIfRpcFails(proveAbsence(call, missing), { verdict: 'possible' } as const);
    if (look.verdict === 'absent') return 'ABSENT';
    const found =
      look.verdict === 'possible' ? await findByMemo(call, search, { ...ANYWHERE, others }) : look.namesake;
    // A wallet can make several signatures over one message. If the caller named one, do not accept another.
    return (found && !signature && (await readTrace(search, found, signal))) || 'UNCLEAR';
  } catch (error) {
    // The next look asks again.
    if (isServiceError(error, 'RPC_ERROR') || isServiceError(error, 'RECEIPT_INVALID')) return 'UNCLEAR';
    throw error;
  }
}

/** Returns what the chain shows under a signature, or null. */
async function readTrace(
  { state: { operations, chain }, operationId, signature: own }: Search,
  { signature, wallet }: { readonly signature: Signature; readonly wallet: Address | undefined },
  signal: AbortSignal | undefined,
): Promise<SignedOperation | 'UNCLEAR' | null> {
  const landed = await readLanded(chain, signature, signal);
  if (!landed) return null;
  const action = await actionUnder(chain, chain.deployment.program, landed, signal);
  const isOther = landed.memo !== memoText(operationId) || (wallet !== undefined && landed.wallet !== wallet);
  if (isOther && own) throw signatureOfAnother();
  if (!action || isOther) return 'UNCLEAR';
  operations.ledger.end(operationId);
  return {
    operationId,
    kind: action.kind,
    wallet: landed.wallet,
    signature,
    signedAtSlot: landed.slot,
    // It has landed, so no height makes it absent.
    lastValidBlockHeight: 2n ** 64n,
  };
}

/** Reads the newest block when a search begins. After a page load the RPC may be one of another cluster. */
async function readLastHeight(chain: Chain, signal: AbortSignal | undefined): Promise<bigint> {
  await checkGenesisHash(chain, signal);
  return (await readLatestBlockhash(chain, signal)).lastValidBlockHeight + NODES_APART;
}

/** The beginning of the chain. */
const BEGINNING: HistoryStart = { slot: 0n };
/** The whole history that a node shows. To find nothing there proves nothing. */
const ANYWHERE: HistoryWindow = { backTo: BEGINNING, asOf: 0n };

/**
 * Returns a moment before the operation was prepared, from the newest finalized slot. The service could name a time after
 * the transaction that it hides, so only the caller's time counts, or an earlier one. Block times turn its age into a place
 * on the chain, because clusters differ in slots a second. Without them the search goes back to the beginning.
 */
async function beginningOf(
  { state: { chain }, preparedAt, createdAt, askedAtSlot }: Search,
  newest: bigint,
  signal: AbortSignal | undefined,
): Promise<HistoryStart> {
  if (askedAtSlot !== undefined) return { slot: askedAtSlot };
  if (preparedAt === undefined) return BEGINNING;
  // One clock gave both times, so it does not matter if it is wrong.
  const age = unixSeconds(chain.clock) - preparedAt;
  // The clock was set back since then, so it does not show how long ago that was.
  if (age < 0n) return BEGINNING;
  const reading = callRpc(chain, 'getBlockTime', signal, (rpc, options) =>
    rpc.getBlockTime(newest).send(options),
  );
  const time = await orIfRpcFails(reading, null);
  if (time === null) return BEGINNING;
  const began = time - age;
  // The service's clock is compared with the chain's, because the one of the device can differ from both.
  const earliest = createdAt !== undefined && createdAt < began ? createdAt : began;
  return { time: earliest - CLOCK_TOLERANCE_SECONDS };
}
