import { ProverError } from '@service/prover';
import { expect, it } from 'vitest';
import { isMistakeOfProver, noWitness } from './proof-steps.ts';
import { type ProverModule, serveProofs } from './serve-proofs.ts';
import type { FromProver, ProofRequest } from './thread-messages.ts';

/** Returns what a worker sends if its prover throws. */
async function sentFor(thrown: Error): Promise<FromProver | undefined> {
  const sent: FromProver[] = [];
  let request: (request: ProofRequest<'own'>) => void = () => {};
  const prover: ProverModule<'own'> = {
    prepareToProve: async () => {},
    makeProof: async () => {
      throw thrown;
    },
    release: () => {},
  };
  const methods = { ...console };
  await serveProofs(prover, { send: (message) => void sent.push(message), listen: (on) => (request = on) });
  Object.assign(console, methods);
  await request({} as ProofRequest<'own'>);
  return sent.at(-1);
}

it('tells a mistake of the prover from an input without a witness', async () => {
  const mistake = new TypeError('list.at is not a function');
  expect(() => noWitness(mistake)).toThrow(mistake);
  expect(() => noWitness(new Error('no clause'))).toThrow(/rejected the input/);
  expect(isMistakeOfProver(new RangeError('Array buffer allocation failed'))).toBe(false);
  expect(await sentFor(mistake)).toMatchObject({ type: 'failure', isMistake: true });
  expect(await sentFor(new Error('The proof does not verify'))).toMatchObject({ isMistake: false });
});

it('tells a thread without random numbers from a prover that failed', async () => {
  const unsupported = new ProverError('UNSUPPORTED_PLATFORM', 'crypto.getRandomValues failed.');
  expect(await sentFor(unsupported)).toMatchObject({ isUnsupported: true, trySnarkjs: false });
  expect(await sentFor(new ProverError('PROVER_FAILED', 'no'))).toMatchObject({ isUnsupported: false });
});
