/** Each simulated wallet with each kind of write on the real stack. The tables in the docs are made from `expected.ts`. */
import { type Stack, startStack } from '@service/development';
import { addStandInGuardProgram, Localnet } from '@service/localnet';
import { disposeProver } from '@service/sdk';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CELLS, checkAbsent, type Matrix, nameOf, PEOPLE, playMatrix, SPARES } from './matrix.ts';
import { type Stage, setStage } from './stage.ts';

/** A busy machine takes several times the minute of an idle one. */
const HOOK_MS = 900_000;

let net: Localnet;
let stack: Stack;
let stage: Stage;
let matrix: Matrix;

beforeAll(async () => {
  net = Localnet.start({ slotMs: 100, finalitySlots: 2 });
  addStandInGuardProgram(net);
  const { url } = await net.listen({ port: 0 });
  // The same on every cluster with a faucet, so that npm run test:validator runs the same cells.
  stack = await startStack({
    rpcUrl: url,
    ports: { site: 0, rpc: 0, verifier: 0 },
    pollIntervalMs: 40,
    log: pino({ level: 'silent' }),
  });
  stage = await setStage({ deployment: stack.deployment, people: PEOPLE, spares: SPARES });
  matrix = await playMatrix(stage);
}, HOOK_MS);

afterAll(async () => {
  await disposeProver();
  await stack?.close();
  await net?.stop();
});

test.each(CELLS.map((cell) => [nameOf(cell), cell] as const))('%s', (_name, cell) => {
  const problem = matrix.problemOf(cell);
  if (problem) throw problem;
});

test('no wallet is left out, and no rejected transaction is on the chain at the end', async () => {
  expect(matrix.skipped.size).toBe(0);
  await checkAbsent(stage, matrix);
});
