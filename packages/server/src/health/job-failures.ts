/** The failures of this process's jobs, in memory. They decide whether it can take traffic. */

/** A job whose failures make the process unready. The check of the index covers the indexer. */
export type Job = 'broadcast' | 'worker' | 'credential issuer';

/** The failures of the jobs of one process. */
export type JobFailures = ReturnType<typeof createJobFailures>;

/** Milliseconds from the first failed attempt to the last one before the job counts as failing. An outage may be short. */
const SHORT_MS = 5_000;
/** Milliseconds after its last failure until a job no longer counts as failing. It is longer than the longest wait for a retry. */
const FORGET_MS = 70_000;

/** Creates the record of failures. The clock is in Unix milliseconds. */
export function createJobFailures(clock: { now(): number }) {
  const failures = new Map<Job, { readonly first: number; readonly last: number }>();
  return {
    /** Records that an attempt failed. */
    failed(job: Job): void {
      const now = clock.now();
      failures.set(job, { first: failures.get(job)?.first ?? now, last: now });
    },
    /** Records that an attempt worked. */
    worked: (job: Job) => void failures.delete(job),
    /** Returns the jobs that only fail. */
    failing: (): Job[] =>
      [...failures].flatMap(([job, { first, last }]) => {
        if (clock.now() - last > FORGET_MS) failures.delete(job);
        return last - first >= SHORT_MS && failures.has(job) ? [job] : [];
      }),
  };
}
