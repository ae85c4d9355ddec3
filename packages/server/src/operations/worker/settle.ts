/** Final results of operations, and UNRESOLVED when no result can be proven. */
import type { OperationFailure } from '@service/contract';
import { transition } from '../../database/transition.ts';
import type { Service } from '../../service.ts';
import type { OperationRow } from '../tables.ts';
import { type Absence, proveAbsence } from './absence.ts';
import { broadcast } from './broadcast.ts';
import { NEVER_LANDED, onChainFailure } from './failure.ts';
import { callSignal, type LeasedOperation, type Look } from './look.ts';
import type { SignatureStatus } from './statuses.ts';

/** Milliseconds between the two proofs that a transaction did not land. */
const ABSENCE_GAP_MS = 5_000;

/** Sets the final state of an operation from its finalized status. */
export async function settle(
  look: Look,
  leased: LeasedOperation,
  { slot, err }: Pick<SignatureStatus, 'slot' | 'err'>,
): Promise<void> {
  const { program } = look.service.settings;
  if (err) await finish(look, leased, { failure: onChainFailure(leased.row, program, err), slot });
  else await finish(look, leased, { slot });
}

/**
 * Handles an operation whose signature no RPC knows. While it can still land, the same bytes are broadcast again. After
 * that it fails if one node proves twice, `ABSENCE_GAP_MS` apart, that it did not land. Otherwise it becomes UNRESOLVED.
 */
export async function settleAbsent(look: Look, leased: LeasedOperation): Promise<void> {
  const { rpc, otherRpcs } = look.service;
  const { row } = leased;
  const rpcs = [rpc, ...otherRpcs].map((each, index) => ({ rpc: each, index }));
  // Ask the node of the first proof first, because both proofs must come from one node.
  rpcs.sort((a, b) => Number(b.index === row.absent_rpc) - Number(a.index === row.absent_rpc));
  let isUnresolved = false;
  for (const each of rpcs) {
    const absence = await absenceAt(look, row, each);
    if (absence.verdict === 'landed') return settle(look, leased, absence);
    if (absence.verdict === 'absent') return recordProof(look, leased, each.index);
    if (absence.verdict === 'possible' && each.index === 0) return void (await broadcast(look, row));
    isUnresolved ||= absence.verdict === 'unprovable';
  }
  if (isUnresolved && row.state === 'SUBMITTED') {
    await transition(look.service.db, {
      table: 'operation',
      id: row.id,
      from: 'SUBMITTED',
      to: 'UNRESOLVED',
      owner: leased.owner,
    });
  }
}

async function absenceAt(
  look: Look,
  row: OperationRow,
  { rpc, index }: { readonly rpc: Service['rpc']; readonly index: number },
): Promise<Absence> {
  const { outages } = look.service;
  const name = `checking that a transaction did not land at ${index === 0 ? 'the RPC' : `other RPC ${index}`}`;
  try {
    const absence = await proveAbsence(rpc, row, () => callSignal(look));
    outages.worked(name);
    return absence;
  } catch (error) {
    outages.failed(name, error);
    return { verdict: 'silent' };
  }
}

async function recordProof(look: Look, leased: LeasedOperation, rpc: number): Promise<void> {
  const { row, owner } = leased;
  const now = BigInt(look.service.clock.now());
  if (row.absent_since !== null && row.absent_rpc === rpc) {
    if (now - row.absent_since >= BigInt(ABSENCE_GAP_MS))
      await finish(look, leased, { failure: NEVER_LANDED });
    return;
  }
  await look.service.db
    .updateTable('operation')
    .set({ absent_since: now, absent_rpc: rpc })
    .where('id', '=', row.id)
    .where('lease_owner', '=', owner)
    .execute();
}

async function finish(
  { service }: Look,
  { row, owner }: LeasedOperation,
  { slot, failure }: { slot?: bigint; failure?: OperationFailure },
): Promise<void> {
  if (row.state !== 'SUBMITTED' && row.state !== 'UNRESOLVED') return;
  const state = failure ? 'FAILED' : 'FINALIZED';
  const isMoved = await transition(service.db, {
    table: 'operation',
    id: row.id,
    from: row.state,
    to: state,
    owner,
    set: {
      ...(slot === undefined ? {} : { slot }),
      ...(failure ? { failure: JSON.stringify(failure) } : {}),
    },
  });
  if (isMoved) {
    service.metrics.countResult(state);
    const error = failure?.programError?.name ?? failure?.reason;
    service.log.info(
      { operationId: row.id, kind: row.kind, slot: slot?.toString(), error },
      'operation has a final result',
    );
  }
}
