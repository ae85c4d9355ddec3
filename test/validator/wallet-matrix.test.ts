/** The simulated wallets on a validator: the same matrix as test/wallets/matrix.slow.test.ts on the local stack. */
import { disposeProver } from '@service/sdk';
import { afterAll, expect } from 'vitest';
import { CELLS, checkAbsent, nameOf, PEOPLE, playMatrix, SPARES } from '../wallets/matrix.ts';
import { setStage } from '../wallets/stage.ts';
import { deployment, onValidator, progress, step } from './support/stack.ts';

/** A machine with two cores takes a quarter of an hour, because the validator needs one of them. */
const TIMEOUT_MS = 2_400_000;

afterAll(disposeProver);

onValidator('each simulated wallet with each kind of write', { timeout: TIMEOUT_MS }, async () => {
  const options = { deployment, people: PEOPLE, spares: SPARES };
  const stage = await step('wallets: people with passes, mints and tokens', () =>
    setStage({ ...options, report: progress }),
  );
  const matrix = await step('wallets: every cell', () => playMatrix(stage, progress));
  if (matrix.skipped.size > 0) {
    progress(`SKIPPED: ${[...matrix.skipped].join(', ')}`);
    progress(
      'Why: this cluster has no Lighthouse. Set TEST_VALIDATOR to the path of a validator to run these wallets.',
    );
  }
  const played = CELLS.filter(({ wallet }) => !matrix.skipped.has(wallet));
  const problems = played.flatMap((cell) => {
    const problem = matrix.problemOf(cell);
    return problem ? [`${nameOf(cell)}: ${problem.message}`] : [];
  });
  await step('wallets: no rejected transaction is on the chain', () => checkAbsent(stage, matrix));
  progress(`wallets: ${played.length - problems.length} of ${played.length} cells as expected`);
  expect(problems).toEqual([]);
});
