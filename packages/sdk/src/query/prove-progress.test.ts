/** A service names the states of an operation, so their order is not certain. */
import { expect, it } from 'vitest';
import { type ProveProgress, progressReporter } from './prove-progress.ts';

it('never goes back, whatever the order of the events, and reports no change twice', () => {
  const seen: ProveProgress[] = [];
  const confirmed = { slot: 5n, finalIn: 12, seenAt: 0 };
  const report = progressReporter((progress) => seen.push(progress));
  report('checks', 0);
  report('proof', 0.3);
  report('proof', 0.2);
  report('proof', 0.3);
  report('artifacts', 0.9);
  report('finality', 0.95, { operationId: 'id' });
  report('finality', 0.65);
  report('wallet', 0.99);
  report('confirmed', 0.8, { confirmed });
  report('finality', 0.99);
  report('done', 1);
  const steps = ['checks', 'proof', 'finality', 'confirmed', 'done'];
  expect(seen.map(({ step }) => step)).toEqual(steps);
  expect(seen.map(({ fraction }) => fraction)).toEqual([0, 0.3, 0.95, 0.95, 1]);
  expect(seen.map(({ canCancel }) => canCancel)).toEqual([true, true, false, false, false]);
  expect(seen.map(({ operationId }) => operationId)).toEqual([undefined, undefined, 'id', 'id', 'id']);
  expect(seen.map(({ confirmed: shown }) => shown)).toEqual([
    undefined,
    undefined,
    undefined,
    confirmed,
    undefined,
  ]);
});
