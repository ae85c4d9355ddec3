/** Follows broadcast operations to their result. FINALIZED and FAILED come from a finalized status only. */
import type { Signature } from '@solana/kit';
import pMap from 'p-map';
import { transition } from '../../database/transition.ts';
import { logError } from '../../lib/log-error.ts';
import type { Service } from '../../service.ts';
import { callSignal, type Held, type Look } from './look.ts';
import { settle, settleAbsent } from './settle.ts';
import { type SignatureStatus, signatureStatuses } from './statuses.ts';

/** Milliseconds without a response from any RPC after which an operation becomes UNRESOLVED. */
const SILENCE_MS = 30_000;
/** Absent operations that are checked concurrently. Each needs several RPC calls in sequence. */
const ABSENT_AT_ONCE = 8;

/** Checks each operation once: on the service's own RPC, and on the others when it does not respond or the outcome is unresolved. */
export async function follow(look: Look, held: readonly Held[]): Promise<void> {
  if (held.length === 0) return;
  const { rpc, otherRpcs } = look.service;
  let open = await ask(look, rpc, held);
  const isAnswered = open !== null;
  for (const other of otherRpcs) {
    const asked = (open ?? held).filter(({ row }) => !isAnswered || row.state === 'UNRESOLVED');
    if (asked.length === 0) break;
    const unknown = await ask(look, other, asked);
    if (unknown) open = [...(open ?? held).filter((each) => !asked.includes(each)), ...unknown];
  }
  if (open) await noteAnswer(look, held);
  else await noteSilence(look, held);
  // One that throws does not stop the others.
  await pMap(open ?? [], (absent) => settleAbsent(look, absent), {
    concurrency: ABSENT_AT_ONCE,
    stopOnError: false,
  });
}

/** Records the final results that the RPC knows. Returns the operations it does not know, or null when it does not respond. */
async function ask(look: Look, rpc: Service['rpc'], held: readonly Held[]): Promise<readonly Held[] | null> {
  const signatures = held.map(({ row }) => row.signature as Signature);
  let statuses: readonly (SignatureStatus | null)[];
  try {
    ({ statuses } = await signatureStatuses(rpc, signatures, callSignal(look)));
  } catch (error) {
    logError(look.service.log, error, 'an RPC did not return signature statuses');
    return null;
  }
  const unknown: Held[] = [];
  for (const [index, each] of held.entries()) {
    const status = statuses[index];
    if (!status) unknown.push(each);
    else if (status.confirmationStatus === 'finalized') await settleAlone(look, each, status);
  }
  return unknown;
}

/** Records a result. A failure does not stop the others; the next step retries it. */
async function settleAlone(look: Look, held: Held, status: SignatureStatus): Promise<void> {
  try {
    await settle(look, held, status);
  } catch (error) {
    const log = look.service.log.child({ operationId: held.row.id });
    logError(log, error, 'could not record the result of an operation; it will be retried');
  }
}

async function noteAnswer({ service }: Look, held: readonly Held[]): Promise<void> {
  await service.db
    .updateTable('operation')
    .set({ answered_at: BigInt(service.clock.now()) })
    .where(
      'id',
      'in',
      held.map(({ row }) => row.id),
    )
    .where('lease_owner', '=', held[0]?.owner ?? '')
    .where('state', 'in', ['SUBMITTED', 'UNRESOLVED'])
    .execute();
}

async function noteSilence({ service }: Look, held: readonly Held[]): Promise<void> {
  for (const { row, owner } of held) {
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
