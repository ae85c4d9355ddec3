/** Sends signed packs of rows, and waits until the chain proves how each one ended. */
import { decodeTransactionError } from '@service/protocol';
import { ABSENCE_GAP_MS, proveAbsence } from '@service/protocol/absence/prove-absence';
import type { Base64EncodedWireTransaction } from '@solana/kit';
import { ServiceError } from '../../errors.ts';
import { backoff, pause, throwIfAborted, withDeadline } from '../../lib/clock.ts';
import type { Issue } from '../../preflight/receivers.ts';
import {
  callRpc,
  historyOf,
  MOST_RPC_MS,
  NODES_APART,
  orIfRpcFails,
  readFinalized,
  rpcOf,
} from '../../rpc/chain.ts';
import { isRejected, rejectedSending } from '../send.ts';
import type { Signed } from '../sign.ts';
import type { Journal, Pack, PackEnd } from './journal.ts';
import { issuesRows } from './pack-rows.ts';
import type { CheckedRow } from './rows.ts';

/** What the caller of {@link settle} learns from a pack that ended. */
export interface EndedPack {
  readonly pack: Pack;
  readonly end: PackEnd;
  /** Why it failed on chain. */
  readonly failure?: PackFailure;
}

/** Why a pack failed on chain, as far as this call knows it. */
export interface PackFailure {
  readonly cause: string;
  readonly programError?: ReturnType<typeof decodeTransactionError>['programError'];
  /** The place of the row that failed among the rows of the pack; undefined if no row did, or if it is not known. */
  readonly place: number | undefined;
}

/** The packs of this call whose bytes it has, by operation id. */
export type SentPacks = Map<string, Signed>;

/** What {@link settle} needs of a call. */
export interface Settling {
  readonly issue: Issue;
  readonly journal: Journal;
  readonly rows: readonly CheckedRow[];
  readonly sent: SentPacks;
}

/** Milliseconds without any end of a pack after which the call ends. Its blockhash expires after about 90 seconds. */
const MOST_SILENT_MS = 300_000;
/** Pauses between two looks. */
const POLL = { firstMs: 400, mostMs: 2_000 };
/** In every fourth look, what the RPC does not know is sent again, and what may have expired is looked for. */
const SEARCH_EVERY = 4;
/** The most signatures of one request. */
const MOST_STATUSES = 256;

const WHAT = 'issueMany';

/**
 * Waits until every open pack has ended, and stores each end before it reports it.
 *
 * @throws ServiceError TRANSACTION_FAILED if the chain proves nothing for minutes, RPC_ERROR if the RPC rejects what is
 *   sent, LEDGER_FAILED, ABORTED
 */
export async function settle(
  settling: Settling,
  onEnded: (ended: readonly EndedPack[]) => void,
): Promise<void> {
  const { issue, journal } = settling;
  const { chain, signal } = issue;
  const searches = new Map<string, Search>();
  let round = 0;
  let endedAt = chain.clock.elapsed();
  if (journal.open.size === 0) return;
  for (const delay of backoff(POLL)) {
    throwIfAborted(signal, WHAT);
    const ended = await look(settling, searches, round % SEARCH_EVERY === 0);
    if (ended.length > 0) {
      await journal.end(ended.map(({ pack, end }) => ({ operationId: pack.operationId, end })));
      endedAt = chain.clock.elapsed();
      onEnded(ended);
    }
    if (journal.open.size === 0) return;
    if (chain.clock.elapsed() - endedAt > MOST_SILENT_MS) throw unproven(journal);
    round += 1;
    await pause(chain.clock, delay, signal, WHAT);
  }
}

/** What the searches for a pack found. */
interface Search {
  /** When it was first found absent, in milliseconds of the clock. */
  absentAt?: number | undefined;
  /** See `MissingTransaction`. */
  readonly others: Set<string>;
}

async function look(
  settling: Settling,
  searches: Map<string, Search>,
  isSearch: boolean,
): Promise<EndedPack[]> {
  const { issue, journal, sent } = settling;
  const ended: EndedPack[] = [];
  const missing: Pack[] = [];
  const open = [...journal.open.values()];
  const statuses = await readStatuses(settling, open, isSearch);
  for (const pack of open) {
    const status = statuses.get(pack.operationId);
    if (status?.confirmationStatus === 'finalized') ended.push(endOf(issue, pack, status.err, sent));
    else if (!status) missing.push(pack);
  }
  if (!isSearch || missing.length === 0) return ended;
  const tip = await orIfRpcFails(readFinalized(issue.chain, issue.signal), null);
  for (const pack of missing) {
    if (tip && tip.height > lastHeightOf(pack)) {
      const search = searches.get(pack.operationId) ?? { others: new Set() };
      searches.set(pack.operationId, search);
      const end = await searchEnd(settling, pack, search);
      if (end) ended.push({ pack, end });
    } else await send(issue, sent.get(pack.operationId));
  }
  return ended;
}

/** Returns the statuses that the RPC knows, by operation id; none if it fails. */
async function readStatuses({ issue, sent }: Settling, open: readonly Pack[], isSearch: boolean) {
  const { chain, signal } = issue;
  const signed = open.filter(({ signature }) => signature).slice(0, MOST_STATUSES);
  if (signed.length === 0) return new Map();
  // What this call sent is recent, unless the RPC did not answer for a while.
  const searchTransactionHistory = isSearch || !signed.every(({ operationId }) => sent.has(operationId));
  const reading = callRpc(chain, 'getSignatureStatuses', signal, async (rpc, options) => {
    const signatures = signed.map(({ signature }) => signature!);
    return (await rpc.getSignatureStatuses(signatures, { searchTransactionHistory }).send(options)).value;
  });
  const values = (await orIfRpcFails(reading, null)) ?? [];
  return new Map(values.map((status, index) => [signed[index]!.operationId, status]));
}

type Status = NonNullable<Awaited<ReturnType<typeof readStatuses>> extends Map<string, infer S> ? S : never>;

function endOf({ chain }: Issue, pack: Pack, error: Status['err'], sent: SentPacks): EndedPack {
  if (!error) return { pack, end: 'issued' };
  const { program } = chain.deployment;
  // After a restart, the programs are not known. Then the rows are checked again, and tried again.
  const programs = sent.get(pack.operationId)?.programs ?? [];
  const failed = decodeTransactionError({ action: 'ISSUE', program, programs }, error);
  const { cause, programError, instruction } = failed;
  const places = programs.flatMap((each, index) => (each === program ? [index] : []));
  const place = programError && instruction !== undefined ? places.indexOf(instruction) : -1;
  const failure = { cause, place: place < 0 ? undefined : place, ...(programError ? { programError } : {}) };
  return { pack, end: 'failed', failure };
}

/** Returns the height above which a pack can no longer land. A wallet that was asked may have used a newer blockhash. */
function lastHeightOf({ signature, lastValidBlockHeight }: Pack): bigint {
  return signature ? lastValidBlockHeight : lastValidBlockHeight + NODES_APART;
}

/**
 * Returns how a pack ended whose signature is not known to have landed, or null. It is absent if two looks in a row, some
 * seconds apart, prove that it did not land and cannot land. It is issued if the wallet sent exactly its rows by itself.
 */
async function searchEnd(
  { issue, journal, rows }: Settling,
  pack: Pack,
  search: Search,
): Promise<PackEnd | null> {
  const { chain, issuer, signal } = issue;
  const { operationId, signature, slot } = pack;
  const missing = {
    operationId,
    signature,
    wallets: [issuer],
    since: () => ({ slot }),
    lastValidBlockHeight: lastHeightOf(pack),
    others: search.others,
  };
  const found = await orIfRpcFails(proveAbsence(historyOf(chain, signal), missing), null);
  const now = chain.clock.elapsed();
  if (found?.verdict === 'absent') {
    search.absentAt ??= now;
    return now - search.absentAt >= ABSENCE_GAP_MS ? 'absent' : null;
  }
  search.absentAt = undefined;
  const namesake = found?.verdict === 'unprovable' ? found.namesake : undefined;
  if (!namesake?.transaction) return null;
  const { err, message } = namesake.transaction;
  const asked = pack.rows.map((index) => rows[index]!);
  // A transaction that failed issued nothing. Another one with the memo may have landed.
  if (err) search.others.add(issuer + namesake.signature);
  else if (err === null && (await issuesRows(issue, asked, message))) {
    await journal.sign([{ operationId, signature: namesake.signature }]);
    return 'issued';
  }
  return null;
}

/**
 * Sends a transaction without a preflight: if it fails, it then fails on chain, and that proves its end in seconds. An
 * error of a preflight proves nothing, because another node may have sent the bytes.
 *
 * @throws ServiceError RPC_ERROR if the RPC rejects the request itself, ABORTED
 */
export async function send({ chain, signal }: Issue, signed: Signed | undefined): Promise<void> {
  if (!signed) return;
  const options = { encoding: 'base64', skipPreflight: true } as const;
  const wire: Base64EncodedWireTransaction = signed.wire;
  const bounds = { clock: chain.clock, signal, timeoutMs: MOST_RPC_MS, what: 'sendTransaction' };
  try {
    await withDeadline(bounds, (abortSignal) =>
      rpcOf(chain).sendTransaction(wire, options).send({ abortSignal }),
    );
  } catch (error) {
    throwIfAborted(signal, WHAT);
    if (isRejected(error)) throw rejectedSending(error, 'The transaction');
    // Without an answer it may have been sent, and the next look shows it.
  }
}

function unproven({ open }: Journal): ServiceError {
  const packs = [...open.values()];
  const { signature, operationId, rows } = packs[0]!;
  const named = signature ?? `the transaction with the memo service:v1:${operationId}`;
  return new ServiceError('TRANSACTION_FAILED', {
    message: `Your own RPC did not prove within ${MOST_SILENT_MS / 1000} seconds whether ${named} landed, which issues ${rows.length} rows${packs.length > 1 ? `, and ${packs.length - 1} more transactions` : ''}. These rows are not signed again before that. Use an RPC with the whole history.`,
    context: { isFinal: false, signature: signature ?? '' },
  });
}

/** Returns how many rows are in open packs. */
export function rowsInFlight({ open }: Journal): number {
  return new Set([...open.values()].flatMap(({ rows }) => rows)).size;
}
