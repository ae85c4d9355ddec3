import { MAX_CIRCUIT_GRACE_SECONDS } from '@service/protocol';
import { getCircuitDecoder } from '@service/protocol/generated';
import { none, some } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { DAY, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  ARTIFACTS_DIGEST,
  at,
  CIRCUIT,
  CIRCUIT_ID,
  CONFIG,
  configOf,
  initializedChain,
  pause,
  rotateCircuit,
  setCircuit,
  VERIFYING_KEY,
} from '../support/governance.ts';

const chain = chainPerTest(initializedChain);

const circuitOf = async (id: string) => getCircuitDecoder().decode(chain.data(await at.circuit(id)));

describe('set-circuit', () => {
  it('creates the first circuit and makes it the active one', async () => {
    const outcome = await chain.confirm(setCircuit());

    expect([...outcome.changed].sort()).toEqual([CIRCUIT, CONFIG].sort());
    expect(await circuitOf(CIRCUIT_ID)).toMatchObject({
      id: CIRCUIT_ID,
      artifactsDigest: ARTIFACTS_DIGEST,
      retiredAt: none(),
      unsound: false,
      verifyingKey: VERIFYING_KEY,
    });
    expect(configOf(chain).activeCircuit).toEqual(some(CIRCUIT));
  });

  it('retires the previous circuit after the grace period, to the second', async () => {
    await chain.confirm(setCircuit());

    const next = await rotateCircuit(chain, { graceSeconds: DAY });

    expect((await circuitOf(CIRCUIT_ID)).retiredAt).toEqual(some(NOW + DAY));
    expect((await circuitOf('next')).retiredAt).toEqual(none());
    expect(configOf(chain).activeCircuit).toEqual(some(next));
  });

  it('accepts the longest grace period and none, and works while paused', async () => {
    await chain.confirm(setCircuit());
    await chain.confirm(pause());
    const previousCircuit = await rotateCircuit(chain, { graceSeconds: MAX_CIRCUIT_GRACE_SECONDS });
    await chain.confirm(setCircuit({ id: 'c', previousCircuit }));
    expect((await circuitOf(CIRCUIT_ID)).retiredAt).toEqual(some(NOW + MAX_CIRCUIT_GRACE_SECONDS));
    expect((await circuitOf('next')).retiredAt).toEqual(some(NOW));
  });

  it('refuses another circuit as the previous one, or none', async () => {
    await chain.confirm(setCircuit());
    await rotateCircuit(chain);
    const third = { id: 'third', previousCircuit: CIRCUIT };
    await chain.reject('CIRCUIT_MISMATCH', setCircuit(third));
    await chain.reject('CIRCUIT_MISMATCH', setCircuit({ id: 'third' }));
  });
});
