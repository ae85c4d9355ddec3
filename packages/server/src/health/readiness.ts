/** `GET /api/health/ready`: ok, waiting, or failing with the failed checks (SPEC.md section 4). */
import type { failingResponse, readyResponse } from '@service/contract';
import type * as z from 'zod/mini';
import { ServiceFault } from '../http/failures/fault.ts';
import { type Attempt, attempt } from '../lib/attempt.ts';
import type { Service } from '../service.ts';
import { readAttention } from './attention.ts';
import { checkChain, checkDatabase, isClockRight, isIndexFresh } from './checks.ts';

type Checks = z.infer<typeof failingResponse>['checks'];

/**
 * Returns `ok`, or `waiting` with the names of the parts that governance has not set up. Both say what a person should look at.
 * Simultaneous requests share the answer, also a failure, because probes would otherwise multiply the failing calls.
 *
 * @throws ServiceFault UNAVAILABLE with `status: "failing"` and the checks when the database, the chain or the index
 * fails, jobs of this process failed, or the clock of this machine is wrong. Also while the process drains, whatever the
 * checks say.
 */
export async function sharedReadiness(service: Service): Promise<z.infer<typeof readyResponse>> {
  // Do not share an answer from before the drain.
  const key = service.draining.aborted ? 'ready, draining' : 'ready';
  const answer = await service.shared(key, (signal) => readReadiness(service, signal));
  if (answer instanceof ServiceFault) throw answer;
  return answer;
}

async function readReadiness(
  service: Service,
  signal: AbortSignal,
): Promise<z.infer<typeof readyResponse> | ServiceFault> {
  const [database, chain] = await Promise.all([
    attempt(service, 'readiness: the database check', signal, () => checkDatabase(service)),
    attempt(service, 'readiness: the chain check', signal, (limited) => checkChain(service, limited)),
  ]);
  const index =
    database.ok && chain.ok
      ? await attempt(service, 'readiness: the index check', signal, () =>
          isIndexFresh(service, chain.value.tip),
        )
      : NOT_CHECKED;
  const checks: Checks = {
    database: database.ok,
    chain: chain.ok,
    index: index.ok && index.value,
    jobs: service.failures.failing().length === 0,
    clock: isClockRight(service),
  };
  if (service.draining.aborted) return failing(checks, 'The process is shutting down. Use another one.');
  if (!chain.ok || Object.values(checks).includes(false)) return failing(checks);
  const { missing } = chain.value;
  const attention = await readAttention(service, signal);
  return missing.length > 0 ? { status: 'waiting', missing, attention } : { status: 'ok', attention };
}

/** A check that cannot run has failed. The index check needs the chain and the database. */
const NOT_CHECKED: Attempt<never> = { ok: false };

function failing(checks: Checks, message = messageOf(checks)): ServiceFault {
  return new ServiceFault('UNAVAILABLE', message, { body: { status: 'failing', checks } });
}

function messageOf(checks: Checks): string {
  const failed = Object.entries(checks).flatMap(([name, hasPassed]) => (hasPassed ? [] : [name]));
  return `These checks failed: ${failed.join(', ')}. Retry later.`;
}
