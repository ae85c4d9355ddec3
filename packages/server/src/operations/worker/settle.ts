/** Final results of operations, and UNRESOLVED when no result can be proven. */
import type { OperationFailure } from '@service/contract';
import { logError } from '@service/process';
import { decodeTransactionError, programErrorMessage, readOperationInstructions } from '@service/protocol';
import { ABSENCE_GAP_MS } from '@service/protocol/absence/prove-absence';
import type { Address, TransactionError } from '@solana/kit';
import { underLease } from '../../database/lease.ts';
import type { OperationRow } from '../../database/schema.ts';
import { type FinalStep, finishOperations, transitionAll } from '../../database/transition.ts';
import { isUnavailable } from '../../lib/unavailable.ts';
import type { Service } from '../../service.ts';
import { messageToSign } from '../record.ts';
import { type OperationAbsence, proveOperationAbsent } from './absence.ts';
import { broadcast } from './broadcast.ts';
import { callSignal, type LeasedOperation, type Look } from './look.ts';

/** An operation and its finalized status. */
export interface Settled {
  readonly leased: LeasedOperation;
  readonly status: { readonly slot: bigint; readonly err: TransactionError | null };
}

/** Sets the final states of operations from their finalized statuses, in one statement. */
export async function settleAll(look: Look, settled: readonly Settled[]): Promise<void> {
  const { program } = look.service.settings;
  const results = settled.map(({ leased, status: { slot, err } }) => ({
    leased,
    slot,
    failure: err ? onChainFailure(leased, program, err) : null,
  }));
  try {
    await finish(look, results);
  } catch (error) {
    if (results.length === 1 || isUnavailable(error)) throw error;
    // One operation that cannot be settled must not stop the others.
    for (const result of results)
      await finish(look, [result]).catch((each) => logUnsettled(look, result, each));
  }
}

function logUnsettled({ service }: Look, { leased }: Pick<Result, 'leased'>, error: unknown): void {
  const log = service.log.child({ operationId: leased.id });
  logError(log, error, 'could not record the result of an operation; it will be retried');
}

/**
 * Handles an operation whose signature no RPC knows. While it can still land, the same bytes are broadcast again. After
 * that it fails if one node proves in two looks in a row, `ABSENCE_GAP_MS` apart, that it did not land. Otherwise it
 * becomes UNRESOLVED.
 */
export async function settleAbsent(look: Look, row: LeasedOperation): Promise<void> {
  const { rpc, otherRpcs } = look.service;
  const rpcs = [rpc, ...otherRpcs].map((each, index) => ({ rpc: each, index }));
  // Ask the node of the first proof first, because both proofs must come from one node.
  rpcs.sort((a, b) => Number(b.index === row.absent_rpc) - Number(a.index === row.absent_rpc));
  let isUnresolved = false;
  for (const each of rpcs) {
    const absence = await absenceAt(look, row, each);
    if (absence.verdict === 'landed') return settleAll(look, [{ leased: row, status: absence }]);
    if (absence.verdict === 'absent') return recordProof(look, row, each.index);
    if (each.index === row.absent_rpc) await setProof(look, row, { absent_since: null, absent_rpc: null });
    if (absence.verdict === 'possible' && each.index === 0) return void (await broadcast(look, row));
    isUnresolved ||= absence.verdict === 'unprovable';
  }
  if (isUnresolved && row.state === 'SUBMITTED') {
    const where = underLease([row]);
    await transitionAll(look.service.db, { table: 'operation', from: 'SUBMITTED', to: 'UNRESOLVED', where });
  }
}

async function absenceAt(
  look: Look,
  row: OperationRow,
  { rpc, index }: { readonly rpc: Service['rpc']; readonly index: number },
): Promise<OperationAbsence | { readonly verdict: 'silent' }> {
  const { outages } = look.service;
  const name = `checking that a transaction did not land at ${index === 0 ? 'the RPC' : `other RPC ${index}`}`;
  try {
    const absence = await proveOperationAbsent(rpc, row, () => callSignal(look));
    outages.worked(name);
    return absence;
  } catch (error) {
    outages.failed(name, error);
    return { verdict: 'silent' };
  }
}

async function recordProof(look: Look, row: LeasedOperation, rpc: number): Promise<void> {
  const now = BigInt(look.service.clock.now());
  if (row.absent_since !== null && row.absent_rpc === rpc) {
    if (now - row.absent_since >= BigInt(ABSENCE_GAP_MS))
      await finish(look, [{ leased: row, slot: null, failure: NEVER_LANDED }]);
    return;
  }
  await setProof(look, row, { absent_since: now, absent_rpc: rpc });
}

/** Records the first of two proofs, or removes it, so that the next one is the first again. */
async function setProof(
  { service }: Look,
  row: LeasedOperation,
  proof: Pick<OperationRow, 'absent_since' | 'absent_rpc'>,
): Promise<void> {
  await service.db
    .updateTable('operation')
    .set(proof)
    .where(underLease([row]))
    .execute();
}

/** A final result: the finalized slot, or null if the transaction never landed; the failure, or null after success. */
interface Result {
  readonly leased: LeasedOperation;
  readonly slot: bigint | null;
  readonly failure: OperationFailure | null;
}

async function finish({ service }: Look, results: readonly Result[]): Promise<void> {
  const moved = new Set(await finishOperations(service.db, results.flatMap(stepOf)));
  for (const { leased, slot, failure } of results) {
    const { id, kind } = leased;
    if (!moved.has(id)) continue;
    service.metrics.countResult(failure ? 'FAILED' : 'FINALIZED');
    const error = failure?.programError?.name ?? failure?.reason;
    service.log.info(
      { operationId: id, kind, slot: slot?.toString(), error },
      'operation has a final result',
    );
  }
}

/** Returns the change of the row; nothing for a state from which no final one follows. */
function stepOf({ leased, slot, failure }: Result): FinalStep[] {
  const { id, lease_owner: owner, state: from } = leased;
  if (from !== 'SUBMITTED' && from !== 'UNRESOLVED') return [];
  return [{ id, owner, from, to: failure ? 'FAILED' : 'FINALIZED', slot, failure }];
}

/** The failure of a transaction that did not land and can no longer land. */
const NEVER_LANDED: OperationFailure = {
  reason: 'NEVER_LANDED',
  message: 'The transaction expired before it landed. Nothing changed on chain. Prepare the operation again.',
};

/** Returns why a transaction failed on chain, as the operation record shows it. */
function onChainFailure(row: OperationRow, program: Address, error: unknown): OperationFailure {
  const programs = readOperationInstructions(messageToSign(row))?.programs ?? [];
  const { cause, ...failure } = decodeTransactionError({ action: row.kind, program, programs }, error);
  const where = failure.instruction === undefined ? 'transaction' : 'instruction';
  const message = failure.programError
    ? programErrorMessage(row.kind, failure.programError)
    : `The ${where} failed: ${cause}`;
  return { reason: 'ON_CHAIN_ERROR', ...failure, message: `${message}.` };
}
