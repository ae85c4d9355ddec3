/** Records final results, and UNRESOLVED while there is none. */
import type { OperationFailure } from '@service/contract';
import { transition } from '../../database/transition.ts';
import { logError } from '../../lib/log-error.ts';
import { type Absence, proveAbsence } from './absence.ts';
import { broadcast } from './broadcast.ts';
import { NEVER_LANDED, onChainFailure } from './failure.ts';
import { callSignal, type Held, type Look } from './look.ts';
import type { SignatureStatus } from './statuses.ts';

/** Milliseconds between the two proofs that a transaction never landed. */
const ABSENCE_GAP_MS = 5_000;

/** Records the result of an operation from its finalized status. */
export async function settle(
  look: Look,
  held: Held,
  { slot, err }: Pick<SignatureStatus, 'slot' | 'err'>,
): Promise<void> {
  if (err) await finish(look, held, { failure: onChainFailure(held.row.kind, err), slot });
  else await finish(look, held, { slot });
}

/**
 * Handles an operation that no RPC knows. While it can still land, broadcasts the same bytes again. Once it cannot, it has
 * failed if one node proves that twice, some seconds apart. Otherwise its outcome is unresolved.
 */
export async function settleAbsent(look: Look, held: Held): Promise<void> {
  const { rpc, otherRpcs } = look.service;
  const { row } = held;
  const rpcs = [rpc, ...otherRpcs].map((each, index) => ({ rpc: each, index }));
  // Ask the node of the first proof first: the same node must give both proofs.
  rpcs.sort((a, b) => Number(b.index === row.absent_rpc) - Number(a.index === row.absent_rpc));
  let isUnresolved = false;
  for (const each of rpcs) {
    const absence = await proveAbsence(each.rpc, row, () => callSignal(look)).catch(
      (error: unknown): Absence => {
        logError(look.service.log, error, 'an RPC could not prove that a transaction is absent');
        return { verdict: 'silent' };
      },
    );
    if (absence.verdict === 'landed') return settle(look, held, absence);
    if (absence.verdict === 'absent') return takeProof(look, held, each.index);
    if (absence.verdict === 'possible' && each.index === 0) return void (await broadcast(look, row));
    isUnresolved ||= absence.verdict === 'unprovable';
  }
  if (isUnresolved && row.state === 'SUBMITTED') {
    await transition(look.service.db, {
      table: 'operation',
      id: row.id,
      from: 'SUBMITTED',
      to: 'UNRESOLVED',
      owner: held.owner,
    });
  }
}

async function takeProof(look: Look, held: Held, rpc: number): Promise<void> {
  const { row, owner } = held;
  const now = BigInt(look.service.clock.now());
  if (row.absent_since !== null && row.absent_rpc === rpc) {
    if (now - row.absent_since >= BigInt(ABSENCE_GAP_MS)) await finish(look, held, { failure: NEVER_LANDED });
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
  { row, owner }: Held,
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
      'operation has its final result',
    );
  }
}
