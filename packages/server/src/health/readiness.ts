/** `GET /api/health/ready`: waiting, ok, or failing and by what (SPEC.md section 4). */
import type { failingResponse, readyResponse } from '@service/contract';
import type * as z from 'zod/mini';
import { ServiceFault } from '../http/failures/fault.ts';
import { type Attempt, attempt } from '../lib/attempt.ts';
import type { Service } from '../service.ts';
import { areJobsWell, checkChain, checkDatabase, isIndexFresh } from './checks.ts';

type Checks = z.infer<typeof failingResponse>['checks'];

/**
 * Ready, or waiting for governance with the names of what is missing.
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
      : NOT_ASKED,
    isUp ? attempt(service, 'readiness: the jobs check', signal, () => areJobsWell(service)) : NOT_ASKED,
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

/** What cannot be asked is not well: the chain and the index are compared, and jobs are rows. */
const NOT_ASKED: Attempt<never> = { ok: false };

function failing(checks: Checks): ServiceFault {
  const bad = Object.entries(checks).flatMap(([name, isWell]) => (isWell ? [] : [name]));
  return new ServiceFault('UNAVAILABLE', `Not ready: ${bad.join(', ')}.`, {
    body: { status: 'failing', checks },
  });
}
