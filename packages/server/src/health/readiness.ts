/** `GET /api/health/ready`: waiting, ok, or failing and by what (SPEC.md section 4). */
import type { failingResponse, readyResponse } from '@service/contract';
import type * as z from 'zod/mini';
import { ServiceFault } from '../http/fault.ts';
import { logError } from '../log-error.ts';
import type { Service } from '../service.ts';
import { areJobsWell, CHECK_TIMEOUT_MS, checkChain, checkDatabase, isIndexFresh } from './checks.ts';

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
    attempt(service, 'database', signal, () => checkDatabase(service)),
    attempt(service, 'chain', signal, (limited) => checkChain(service, limited)),
  ]);
  const isUp = database.ok;
  const [index, jobs] = await Promise.all([
    isUp && chain.ok
      ? attempt(service, 'index', signal, () => isIndexFresh(service, chain.value.tip))
      : NOT_ASKED,
    isUp ? attempt(service, 'jobs', signal, () => areJobsWell(service)) : NOT_ASKED,
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

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** What cannot be asked is not well: the chain and the index are compared, and jobs are rows. */
const NOT_ASKED: Attempt<never> = { ok: false };

/** Runs one check for at most CHECK_TIMEOUT_MS, whether it listens to the signal or not. */
async function attempt<T>(
  service: Service,
  name: string,
  signal: AbortSignal,
  check: (signal: AbortSignal) => Promise<T>,
): Promise<Attempt<T>> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
  let giveUp = () => {};
  const gaveUp = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(limited.reason);
  });
  limited.addEventListener('abort', giveUp, { once: true });
  try {
    return { ok: true, value: await Promise.race([check(limited), gaveUp]) };
  } catch (error) {
    logError(service.log, error, `readiness: the ${name} check failed`);
    return { ok: false };
  } finally {
    limited.removeEventListener('abort', giveUp);
  }
}

function failing(checks: Checks): ServiceFault {
  const bad = Object.entries(checks).flatMap(([name, isWell]) => (isWell ? [] : [name]));
  return new ServiceFault('UNAVAILABLE', `Not ready: ${bad.join(', ')}.`, {
    body: { status: 'failing', checks },
  });
}
