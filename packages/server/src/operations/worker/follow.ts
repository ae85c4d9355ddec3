/** Polls broadcast operations for their result. Only a finalized status makes an operation FINALIZED or FAILED. */
import type { Signature } from '@solana/kit';
import pMap from 'p-map';
import { underLease } from '../../database/lease.ts';
import { transitionAll } from '../../database/transition.ts';
import type { Service } from '../../service.ts';
import { callSignal, type LeasedOperation, type Look } from './look.ts';
import { settleAbsent, settleAll } from './settle.ts';

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
    const asked = (open ?? leased).filter(({ state }) => !isAnswered || state === 'UNRESOLVED');
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
  const signatures = leased.map(({ signature }) => signature as Signature);
  const { outages } = look.service;
  // The node searches its whole history.
  const request = rpc.getSignatureStatuses(signatures, { searchTransactionHistory: true });
  const answer = await request.send({ abortSignal: callSignal(look) }).catch((error: unknown) => {
    outages.failed(name, error);
    return null;
  });
  if (!answer) return null;
  outages.worked(name);
  const statuses = answer.value;
  await settleAll(
    look,
    leased.flatMap((each, index) => {
      const status = statuses[index];
      return status?.confirmationStatus === 'finalized' ? [{ leased: each, status }] : [];
    }),
  );
  return leased.filter((_, index) => !statuses[index]);
}

async function recordAnswer({ service }: Look, leased: readonly LeasedOperation[]): Promise<void> {
  await service.db
    .updateTable('operation')
    .set({ answered_at: BigInt(service.clock.now()) })
    .where(underLease(leased))
    .where('state', 'in', ['SUBMITTED', 'UNRESOLVED'])
    .execute();
}

async function recordSilence({ service }: Look, leased: readonly LeasedOperation[]): Promise<void> {
  const before = BigInt(service.clock.now() - SILENCE_MS);
  const silent = leased.filter((row) => (row.answered_at ?? row.signed_at ?? row.created_at) <= before);
  if (silent.length === 0) return;
  const where = underLease(silent);
  await transitionAll(service.db, { table: 'operation', from: 'SUBMITTED', to: 'UNRESOLVED', where });
}
