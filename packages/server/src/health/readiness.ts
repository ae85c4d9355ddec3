/** `GET /api/health/ready`: ok, waiting, or failing with the failed checks (SPEC.md section 4). */
import type { failingResponse, readyResponse } from '@service/contract';
import type * as z from 'zod/mini';
import { ServiceFault } from '../http/failures/fault.ts';
import { type Attempt, attempt } from '../lib/attempt.ts';
import type { Service } from '../service.ts';
import { areJobsHealthy, checkChain, checkDatabase, isIndexFresh } from './checks.ts';

type Checks = z.infer<typeof failingResponse>['checks'];

/**
 * Returns `ok`, or `waiting` with the names of the parts that governance has not set up.
 *
 * @throws ServiceFault UNAVAILABLE with `status: "failing"` and the checks when the database, the chain or the index
 * fails, or jobs failed.
 */
export async function readReadiness(
  service: Service,
  signal: AbortSignal,
): Promise<z.infer<typeof readyResponse>> {
  const [database, chain] = await Promise.all([
    attempt(service, 'readiness: the database check', signal, () => checkDatabase(service)),
    attempt(service, 'readiness: the chain check', signal, (limited) => checkChain(service, limited)),
  ]);
  const isUp = database.ok;
  const [index, jobs] = await Promise.all([
    isUp && chain.ok
      ? attempt(service, 'readiness: the index check', signal, () => isIndexFresh(service, chain.value.tip))
      : NOT_CHECKED,
    isUp ? attempt(service, 'readiness: the jobs check', signal, () => areJobsHealthy(service)) : NOT_CHECKED,
  ]);
  const checks: Checks = {
    database: database.ok,
    chain: chain.ok,
    index: index.ok && index.value,
    jobs: jobs.ok && jobs.value,
  };
  if (!chain.ok || Object.values(checks).includes(false)) throw failing(checks);
  const { missing } = chain.value;
  return missing.length > 0 ? { status: 'waiting', missing: [...missing] } : { status: 'ok' };
}

/** A check that cannot run has failed. The index check needs the chain and the database; the jobs check needs the database. */
const NOT_CHECKED: Attempt<never> = { ok: false };

function failing(checks: Checks): ServiceFault {
  const failed = Object.entries(checks).flatMap(([name, hasPassed]) => (hasPassed ? [] : [name]));
  return new ServiceFault('UNAVAILABLE', `These checks failed: ${failed.join(', ')}. Retry later.`, {
    body: { status: 'failing', checks },
  });
}
