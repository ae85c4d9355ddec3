import { MAX_CIRCUIT_GRACE_SECONDS } from '@service/protocol';
import { getCircuitDecoder } from '@service/protocol/generated';
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
  setCircuit,
  VERIFYING_KEY,
} from '../support/governance.ts';

const chain = chainPerTest(initializedChain);

const circuitOf = async (id: string) => getCircuitDecoder().decode(chain.data(await at.circuit(id)));

/** `set-circuit` of a next circuit, after the first. */
async function setNext(change: Parameters<typeof setCircuit>[0] = {}) {
  return setCircuit({ id: 'eligibility-next', previousCircuit: CIRCUIT, ...change });
}

describe('set-circuit', () => {
  it('creates the first circuit and makes it the active one', async () => {
    const outcome = await chain.confirm(setCircuit());

    const circuit = CIRCUIT;
    expect([...outcome.changed].sort()).toEqual([circuit, CONFIG].sort());
    expect(await circuitOf(CIRCUIT_ID)).toMatchObject({
      id: CIRCUIT_ID,
      artifactsDigest: ARTIFACTS_DIGEST,
      retiredAt: { __option: 'None' },
      unsound: false,
      verifyingKey: VERIFYING_KEY,
    });
    expect((await configOf(chain)).activeCircuit).toEqual({ __option: 'Some', value: circuit });
  });

  it('retires the previous circuit after the grace period, to the second', async () => {
    await chain.confirm(setCircuit());

    await chain.confirm(setNext({ graceSeconds: DAY }));

    expect((await circuitOf(CIRCUIT_ID)).retiredAt).toEqual({ __option: 'Some', value: NOW + DAY });
    expect((await circuitOf('eligibility-next')).retiredAt).toEqual({ __option: 'None' });
    expect((await configOf(chain)).activeCircuit).toEqual({
      __option: 'Some',
      value: await at.circuit('eligibility-next'),
    });
  });

  it('accepts the longest grace period and none, and works while paused', async () => {
    await chain.confirm(setCircuit());
    await pause(chain);
    await chain.confirm(setNext({ graceSeconds: MAX_CIRCUIT_GRACE_SECONDS }));
    const third = await setCircuit({ id: 'c', previousCircuit: await at.circuit('eligibility-next') });
    await chain.confirm(third);
    expect((await circuitOf(CIRCUIT_ID)).retiredAt).toMatchObject({
      value: NOW + MAX_CIRCUIT_GRACE_SECONDS,
    });
    expect((await circuitOf('eligibility-next')).retiredAt).toMatchObject({ value: NOW });
  });

  it('refuses another circuit as the previous one, or none', async () => {
    await chain.confirm(setCircuit());
    await chain.confirm(setNext());
    const third = { id: 'third', previousCircuit: CIRCUIT };
    await chain.reject('CIRCUIT_MISMATCH', setCircuit(third));
    await chain.reject('CIRCUIT_MISMATCH', setCircuit({ id: 'third' }));
  });
});
