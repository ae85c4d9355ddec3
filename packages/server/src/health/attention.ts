/** What a person should look at. It does not make a process unready, because traffic to other processes would not solve it. */
import { hasFailedHolder } from '../keeper/due-holders.ts';
import { attempt } from '../lib/attempt.ts';
import type { Service } from '../service.ts';
import { isFeePayerPoor } from '../verification/issuing/fee-payer.ts';

/** Failed attempts after which a job needs a person. The first attempts may meet a temporary problem. */
const FAILED_ATTEMPTS = 3;
/** Milliseconds that a signed operation may wait for its first broadcast. */
const QUEUED_MS = 60_000;

/** A part of the work that does not advance on its own. */
export const ATTENTION = ['credentials', 'feePayer', 'operations', 'passes'] as const;
/** A part of the work that does not advance on its own. */
export type Attention = (typeof ATTENTION)[number];

/**
 * Returns what a person should look at. A part that cannot be checked in time is left out, because the checks of readiness
 * report that.
 *
 * - `credentials`: a credential or a revocation failed repeatedly.
 * - `feePayer`: it cannot pay for a credential.
 * - `operations`: a signed operation waits for its first broadcast.
 * - `passes`: this process repeatedly failed to end a pass, or any process to freeze a token account without one.
 */
export async function readAttention(service: Service, signal: AbortSignal): Promise<Attention[]> {
  const checks: Record<Attention, () => Promise<boolean>> = {
    credentials: () => hasFailedCredential(service),
    feePayer: () => isFeePayerPoor(service),
    operations: () => hasWaitingOperation(service),
    passes: async () =>
      [...service.closing.values()].some(({ count }) => count >= FAILED_ATTEMPTS) ||
      hasFailedHolder(service.db, service.clock.now()),
  };
  const found = await Promise.all(
    ATTENTION.map(async (part) => {
      const check = await attempt(service, `readiness: the ${part} check`, signal, checks[part]);
      return check.ok && check.value ? [part] : [];
    }),
  );
  return found.flat();
}

async function hasFailedCredential({ db }: Service): Promise<boolean> {
  const failed = await db
    .selectFrom('verification_session')
    .select('id')
    .where('state', '=', 'ISSUING')
    .where('attempts', '>=', FAILED_ATTEMPTS)
    .unionAll(
      db
        .selectFrom('credential_revocation')
        .select('id')
        .where('state', '=', 'REVOKING')
        .where('attempts', '>=', FAILED_ATTEMPTS),
    )
    .limit(1)
    .executeTakeFirst();
  return failed !== undefined;
}

async function hasWaitingOperation({ db, clock }: Service): Promise<boolean> {
  const waiting = await db
    .selectFrom('operation')
    .select('id')
    .where('state', '=', 'QUEUED')
    .where('signed_at', '<', BigInt(clock.now() - QUEUED_MS))
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}
