import { expect, test } from 'vitest';
import { createJobFailures } from './job-failures.ts';

const clock = { ms: 1_000_000, now: () => clock.ms };

/** Records failures, each a number of milliseconds after the one before. Returns the failing jobs. */
function failAfter(...waits: number[]) {
  const failures = createJobFailures(clock);
  for (const ms of waits) {
    clock.ms += ms;
    failures.failed('broadcast');
  }
  return failures;
}

test('one attempt that takes long is no failing job', () => {
  expect(failAfter(20_000).failing()).toEqual([]);
});

test('a job fails after 5 seconds of failures, until it works or has nothing to do', () => {
  expect(failAfter(0, 4_999).failing()).toEqual([]);
  const failures = failAfter(0, 5_000);
  expect(failures.failing()).toEqual(['broadcast']);
  clock.ms += 70_001;
  expect(failures.failing()).toEqual([]);
  const others = failAfter(0, 5_000);
  others.worked('broadcast');
  expect(others.failing()).toEqual([]);
});
