/** Issues tokens to many token accounts, through the caller's own RPC and without the service. */
import { LIGHTHOUSE_PROGRAM } from '@service/protocol';
import type { Address, Signature } from '@solana/kit';
import { isServiceError, ServiceError } from '../../errors.ts';
import { checkObject, invalidArgument } from '../../lib/check-arguments.ts';
import { throwIfAborted } from '../../lib/clock.ts';
import { notify } from '../../lib/notify.ts';
import { type AdditionOptions, readAdditions } from '../../operations/additions/addition-options.ts';
import type { Issue } from '../../preflight/receivers.ts';
import { checkGenesisHash, readLatestBlockhash } from '../../rpc/chain.ts';
import { type Signer, signerOf } from '../../wallet/signer.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { type ChainOptions, chainWith } from '../options.ts';
import { untilSigned } from '../send.ts';
import { signTransactions } from '../sign.ts';
import { checkFees, checkRows } from './check-rows.ts';
import { type Journal, openJournal } from './journal.ts';
import type { IssueLedger } from './ledger.ts';
import { packRows } from './pack-rows.ts';
import type { IssueProgress, IssueReport, RowReason, RowReport } from './report.ts';
import { type CheckedRow, digestOf, type IssueRow, readRows } from './rows.ts';
import { type EndedPack, rowsInFlight, type SentPacks, send, settle } from './settle.ts';

/** Options of {@link issueMany} (SPEC.md section 2). */
export interface IssueManyOptions extends ChainOptions, AdditionOptions {
  /** Address of a bound mint whose issuer is the wallet. */
  readonly mint: Address;
  /** Who gets how much. Keep them with the ledger: a later call needs the same rows in the same order. */
  readonly rows: readonly IssueRow[];
  /** Where the state is kept, such as `fileLedger(path)` of `@service/sdk/node`. One ledger belongs to one list of rows. */
  readonly ledger: IssueLedger;
  /** Whether several rows may have the same destination. @default false, because a list pasted twice cannot be undone */
  readonly mayRepeat?: boolean | undefined;
  /**
   * How many transactions the wallet signs at once and the network gets at once: 1 to 64. A wallet that adds guards signs one
   * at a time, because its guards fix its balance. @default 8
   */
  readonly inFlight?: number | undefined;
  /** Is called whenever rows were sent, issued or rejected. */
  readonly onProgress?: ((progress: IssueProgress) => void) | undefined;
}

/** Rows that are read and checked for one round, for each transaction of it. More do not fit into one. */
const ROWS_PER_TRANSACTION = 8;
/** Rounds in a row of which nothing landed, after which the call ends. */
const MOST_LOST_ROUNDS = 3;
const WHAT = 'issueMany';

/**
 * Issues tokens to many token accounts. Packs about seven rows into a transaction, checks each row before it is signed,
 * has several transactions signed and sent at once, and resolves when all are final. A row that the chain would reject
 * does not stop the others: it is in the report with its reasons.
 *
 * Every step is in the ledger before it happens. After a crash, an abort or an error, call it again with the same rows and
 * ledger: it first proves on your own RPC how each sent transaction ended, so no row is issued twice, and none is lost. It
 * tries rejected rows again. Only one call at a time may use a ledger. See SPEC.md section 2.
 *
 * @throws ServiceError INVALID_ARGUMENT, LEDGER_MISMATCH, GENESIS_HASH_MISMATCH, MINT_NOT_BOUND, NOT_ISSUER before anything is
 *   signed; PROTOCOL_PAUSED, MINT_PAUSED, AMOUNT_TOO_HIGH, INSUFFICIENT_FUNDS, WALLET_REJECTED, WALLET_CHANGED_TRANSACTION, RPC_ERROR,
 *   LEDGER_FAILED, ABORTED, and TRANSACTION_FAILED if an outcome is not known, also later
 * @example
 * const rows = [{ id: 'customer 17', destination, amount: 250_00n }];
 * const ledger = fileLedger('issue-2026-11.jsonl');
 * const report = await issueMany(wallet, { deployment, mint, rows, ledger });
 * for (const row of report.rows) if (row.state === 'rejected') console.log(row.id, row.reasons);
 */
export async function issueMany(wallet: Wallet, options: IssueManyOptions): Promise<IssueReport> {
  const signer = signerOf(wallet);
  const chain = chainWith(options, ['mint']);
  const limits = readAdditions(options);
  const { mint, ledger, mayRepeat = false, inFlight = 8, onProgress, signal } = options;
  if (typeof mayRepeat !== 'boolean') throw invalidArgument('mayRepeat', 'mayRepeat must be true or false.');
  if (!Number.isInteger(inFlight) || inFlight < 1 || inFlight > 64)
    throw invalidArgument('inFlight', 'inFlight must be a whole number from 1 to 64.');
  checkLedger(ledger);
  const rows = readRows(options.rows, { mayRepeat });
  await checkGenesisHash(chain, signal);
  const issuer = signer.address;
  const { program, genesisHash } = chain.deployment;
  const owner = { program, genesisHash, mint, issuer, rows: rows.length, digest: await digestOf(rows) };
  const journal = await openJournal(ledger, owner);
  const issue = { chain, issuer, mint, signal };
  const run: Run = {
    issue,
    signer,
    limits,
    rows,
    journal,
    inFlight,
    onProgress,
    sent: new Map(),
    rejected: new Map(),
    alone: new Set(),
    added: limits.guards || limits.maxPriorityFeeLamports > 0n ? undefined : 0,
    hasGuards: false,
    lostRounds: 0,
  };
  try {
    for (;;) {
      await settle(run, (ended) => takeEnds(run, ended));
      const due = rows.filter(({ index }) => !journal.issued.has(index) && !run.rejected.has(index));
      if (due.length === 0) return reportOf(run);
      throwIfAborted(signal, WHAT);
      await startRound(run, due);
    }
  } catch (error) {
    throw resumable(error);
  }
}

/** The state of one call. */
interface Run {
  readonly issue: Issue;
  readonly signer: Signer;
  readonly limits: ReturnType<typeof readAdditions>;
  readonly rows: readonly CheckedRow[];
  readonly journal: Journal;
  readonly inFlight: number;
  readonly onProgress: IssueManyOptions['onProgress'];
  readonly sent: SentPacks;
  readonly rejected: Map<number, readonly RowReason[]>;
  /** Rows of a transaction that failed for a reason that names none of them. Each gets a transaction of its own. */
  readonly alone: Set<number>;
  /** The most bytes that the wallet added to a transaction; undefined until it has signed one, if it may add any. */
  added: number | undefined;
  /** Whether the wallet adds guards. They fix its balance, so the fee of another transaction would stop this one. */
  hasGuards: boolean;
  lostRounds: number;
}

/** Checks the next rows, has them signed, and sends them. Only rejects rows if none of them is ready. */
async function startRound(run: Run, due: readonly CheckedRow[]): Promise<void> {
  const { issue, journal, signer, limits, sent } = run;
  const { chain, signal } = issue;
  const together = due.filter(({ index }) => !run.alone.has(index));
  // The first transaction has one row too, if the wallet may add something: it measures what the wallet adds.
  const isSingle = together.length === 0 || run.added === undefined;
  const most = isSingle || run.hasGuards ? 1 : run.inFlight;
  const next = (together.length === 0 ? due : together).slice(0, most * ROWS_PER_TRANSACTION);
  const left = due.reduce((sum, { amount }) => sum + amount, 0n);
  const { ready, rejected } = await checkRows(issue, next, left);
  for (const { row, reasons } of rejected) run.rejected.set(row.index, reasons);
  if (rejected.length > 0) tell(run);
  if (ready.length === 0) return;
  const lifetime = await readLatestBlockhash(chain, signal);
  const mostRows = isSingle ? 1 : ready.length;
  const packs = await packRows(issue, ready, { most, mostRows, added: run.added ?? 0, lifetime });
  await checkFees(issue, packs.length);
  await journal.ask(packs.map(({ instructions: _, ...pack }) => pack));
  let isAnySigned = false;
  const onSigned = () => {
    isAnySigned = true;
  };
  const signing = signTransactions({ signer, limits, transactions: packs, onSigned }, lifetime);
  const signed = await untilSigned(signing, signal, 'Issuing tokens').catch(async (error: unknown) => {
    // The wallet says that it signed nothing. If it answered an earlier prompt, it could send what it signed.
    if (isServiceError(error, 'WALLET_REJECTED') && !isAnySigned)
      await journal.end(packs.map(({ operationId }) => ({ operationId, end: 'absent' as const })));
    throw error;
  });
  run.added = Math.max(run.added ?? 0, ...signed.map(({ added }) => added));
  run.hasGuards ||= signed.some(({ programs }) => programs.includes(LIGHTHOUSE_PROGRAM));
  const signatures = packs.map(({ operationId }, index) => ({
    operationId,
    signature: signed[index]!.signature,
  }));
  await journal.sign(signatures);
  for (const [index, { operationId }] of packs.entries()) sent.set(operationId, signed[index]!);
  tell(run);
  await Promise.all(signed.map((each) => send(issue, each)));
}

/** Notes how transactions ended. Throws ServiceError TRANSACTION_FAILED if the network drops everything. */
function takeEnds(run: Run, ended: readonly EndedPack[]): void {
  for (const { pack, end, failure } of ended) {
    const isOwn = run.sent.delete(pack.operationId);
    if (end !== 'absent') run.lostRounds = 0;
    if (end === 'failed' && isOwn && failure)
      blame(run, pack.rows, { ...failure, signature: pack.signature! });
  }
  tell(run);
  const lost = ended.find(({ end }) => end === 'absent');
  if (!lost || run.journal.open.size > 0) return;
  run.lostRounds += 1;
  if (run.lostRounds < MOST_LOST_ROUNDS) return;
  throw new ServiceError('TRANSACTION_FAILED', {
    message: `The network dropped transactions of ${MOST_LOST_ROUNDS} rounds, one after another. It is busy, or the wallet took more than a minute to sign. Use a wallet that pays for priority and pass maxPriorityFeeLamports, or pass a lower inFlight.`,
    context: { isFinal: true, signature: lost.pack.signature ?? '' },
  });
}

type Failure = NonNullable<EndedPack['failure']> & { readonly signature: Signature };

/** Rejects the row that failed its transaction. If it is not known which one, lets each of its rows try alone. */
function blame(run: Run, rows: readonly number[], { place, ...failure }: Failure): void {
  const wasAlone = rows.every((row) => run.alone.has(row));
  const index = place === undefined ? (wasAlone ? rows[0] : undefined) : rows[place];
  if (index === undefined) for (const row of rows) run.alone.add(row);
  else {
    const { signature, cause, programError } = failure;
    const named = programError ? { programError: programError.name } : {};
    run.rejected.set(index, [{ code: 'FAILED_ON_CHAIN', who: 'recipient', signature, cause, ...named }]);
  }
}

function tell({ rows, journal, rejected, onProgress }: Run): void {
  if (!onProgress) return;
  const { size: issued } = journal.issued;
  const progress = { total: rows.length, issued, rejected: rejected.size, inFlight: rowsInFlight(journal) };
  notify(() => onProgress(progress));
}

function reportOf({ rows, journal, rejected }: Run): IssueReport {
  const reports = rows.map((row): RowReport => {
    const signature = journal.issued.get(row.index);
    return signature
      ? { ...row, state: 'issued', signature }
      : { ...row, state: 'rejected', reasons: rejected.get(row.index)! };
  });
  return { rows: reports, issued: journal.issued.size, rejected: rejected.size };
}

function checkLedger(ledger: unknown): void {
  const like = 'fileLedger(path) of @service/sdk/node, or an object with the functions read and append';
  checkObject('ledger', ledger, like);
  const { read, append } = ledger as Partial<IssueLedger>;
  if (typeof read !== 'function' || typeof append !== 'function')
    throw invalidArgument('ledger', `ledger must be ${like}.`);
}

/** Adds to an error how to go on: rows of earlier transactions may have been issued. */
function resumable(error: unknown): unknown {
  if (!isServiceError(error) || error.code === 'LEDGER_MISMATCH') return error;
  const { code, message, context, retryable, status, requestId, cause } = error;
  const next =
    'Rows that were sent before are in the ledger. To continue, call issueMany with the same rows and ledger.';
  return new ServiceError(code, {
    message: `${message} ${next}`,
    context,
    retryable,
    status,
    requestId,
    cause,
  } as never);
}
