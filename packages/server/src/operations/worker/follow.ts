/** Polls broadcast operations for their result. Only a finalized status makes an operation FINALIZED or FAILED. */
import type { Signature } from '@solana/kit';
import pMap from 'p-map';
import { transition } from '../../database/transition.ts';
import { logError } from '../../lib/log-error.ts';
import type { Service } from '../../service.ts';
import { callSignal, type LeasedOperation, type Look } from './look.ts';
import { settle, settleAbsent } from './settle.ts';
import { type SignatureStatus, signatureStatuses } from './statuses.ts';

/** Milliseconds without an answer of any RPC after which an operation becomes UNRESOLVED. */
const SILENCE_MS = 30_000;
/** Absent operations that are checked at once. Each takes several RPC calls, one after the other. */
const ABSENT_AT_ONCE = 8;

/** Checks each operation once. Other RPCs are asked if the service's own does not answer or the state is UNRESOLVED. */
export async function follow(look: Look, leased: readonly LeasedOperation[]): Promise<void> {
  if (leased.length === 0) return;
  const { rpc, otherRpcs } = look.service;
  let open = await ask(look, { rpc, name: 'reading signature statuses' }, leased);
  const isAnswered = open !== null;
  for (const [index, other] of otherRpcs.entries()) {
    const asked = (open ?? leased).filter(({ row }) => !isAnswered || row.state === 'UNRESOLVED');
    if (asked.length === 0) break;
    const name = `reading signature statuses from other RPC ${index + 1}`;
    const unknown = await ask(look, { rpc: other, name }, asked);
    if (unknown) open = [...(open ?? leased).filter((each) => !asked.includes(each)), ...unknown];
  }
  if (open) await recordAnswer(look, leased);
  else await recordSilence(look, leased);
  // An error of one operation must not stop the checks of the others.
  await pMap(open ?? [], (absent) => settleAbsent(look, absent), {
    concurrency: ABSENT_AT_ONCE,
    stopOnError: false,
  });
}

/** Settles operations with a finalized status. Returns those that the RPC does not know, or null if it does not answer. */
async function ask(
  look: Look,
  { rpc, name }: { readonly rpc: Service['rpc']; readonly name: string },
  leased: readonly LeasedOperation[],
): Promise<readonly LeasedOperation[] | null> {
  const signatures = leased.map(({ row }) => row.signature as Signature);
  let statuses: readonly (SignatureStatus | null)[];
  try {
    ({ statuses } = await signatureStatuses(rpc, signatures, callSignal(look)));
    look.service.outages.worked(name);
  } catch (error) {
    look.service.outages.failed(name, error);
    return null;
  }
  const unknown: LeasedOperation[] = [];
  for (const [index, each] of leased.entries()) {
    const status = statuses[index];
    if (!status) unknown.push(each);
    else if (status.confirmationStatus === 'finalized') await settleOne(look, each, status);
  }
  return unknown;
}

/** Settles one operation. An error is logged and the next check retries, so that the others are settled too. */
async function settleOne(look: Look, leased: LeasedOperation, status: SignatureStatus): Promise<void> {
  try {
    await settle(look, leased, status);
  } catch (error) {
    const log = look.service.log.child({ operationId: leased.row.id });
    logError(log, error, 'could not record the result of an operation; it will be retried');
  }
}

async function recordAnswer({ service }: Look, leased: readonly LeasedOperation[]): Promise<void> {
  await service.db
    .updateTable('operation')
    .set({ answered_at: BigInt(service.clock.now()) })
    .where(
      'id',
      'in',
      leased.map(({ row }) => row.id),
    )
    .where('lease_owner', '=', leased[0]?.owner ?? '')
    .where('state', 'in', ['SUBMITTED', 'UNRESOLVED'])
    .execute();
}

async function recordSilence({ service }: Look, leased: readonly LeasedOperation[]): Promise<void> {
  for (const { row, owner } of leased) {
    const since = row.answered_at ?? row.signed_at ?? row.created_at;
    if (row.state !== 'SUBMITTED' || BigInt(service.clock.now()) - since < BigInt(SILENCE_MS)) continue;
    await transition(service.db, {
      table: 'operation',
      id: row.id,
      from: 'SUBMITTED',
      to: 'UNRESOLVED',
      owner,
    });
  }
}
