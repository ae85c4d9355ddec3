import { MAX_CIRCUIT_GRACE_SECONDS } from '@service/protocol';
import { getCircuitDecoder } from '@service/protocol/generated';
import { none, some } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { DAY, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import { at, CIRCUIT, CIRCUIT_ID, configOf, retireCircuit, rotateCircuit } from '../support/governance.ts';
import { eligibleChain, prove } from '../support/passes.ts';

const chain = chainPerTest(eligibleChain);

const circuitOf = async (id = CIRCUIT_ID) => getCircuitDecoder().decode(chain.data(await at.circuit(id)));
const retiresAt = async (time: bigint) => expect((await circuitOf()).retiredAt).toEqual(some(time));

describe('retire-circuit', () => {
  it('retires the active circuit after the grace period and changes nothing else', async () => {
    const before = { circuit: await circuitOf(), config: configOf(chain) };

    const outcome = await chain.confirm(retireCircuit({ graceSeconds: DAY }));

    expect(outcome.changed).toEqual([CIRCUIT]);
    expect(await circuitOf()).toEqual({
      ...before.circuit,
      retiredAt: some(NOW + DAY),
    });
    expect(configOf(chain)).toEqual(before.config);
  });

  it('accepts proofs of the circuit until the end of the grace period, to the second', async () => {
    await chain.confirm(retireCircuit({ graceSeconds: DAY }));
    chain.setTime(NOW + DAY);
    await chain.reject('CIRCUIT_RETIRED', prove());
    chain.setTime(NOW + DAY - 1n);
    await chain.confirm(prove());
  });

  it('moves the time of retirement to an earlier one only', async () => {
    await chain.confirm(retireCircuit({ graceSeconds: 10n * DAY }));
    await retiresAt(NOW + 10n * DAY);
    await chain.confirm(retireCircuit({ graceSeconds: MAX_CIRCUIT_GRACE_SECONDS }));
    await retiresAt(NOW + 10n * DAY);
    await chain.confirm(retireCircuit({ graceSeconds: 10n * DAY - 1n }));
    await retiresAt(NOW + 10n * DAY - 1n);
    chain.setTime(NOW + 20n * DAY);
    await chain.confirm(retireCircuit());
    await retiresAt(NOW + 10n * DAY - 1n);
  });

  it('keeps the earlier of its time and that of set-circuit, whichever comes first', async () => {
    const saved = chain.save();
    await chain.confirm(retireCircuit({ graceSeconds: DAY }));
    await rotateCircuit(chain, { graceSeconds: 2n * DAY });
    await retiresAt(NOW + DAY);
    chain.load(saved);
    await rotateCircuit(chain, { graceSeconds: DAY });
    await chain.confirm(retireCircuit({ graceSeconds: 2n * DAY }));
    await retiresAt(NOW + DAY);
  });

  it('leaves the retired circuit active, and set-circuit works as before', async () => {
    await chain.confirm(retireCircuit());
    await chain.reject('CIRCUIT_RETIRED', prove());
    await rotateCircuit(chain, { graceSeconds: 0n });
    await chain.confirm(prove({ circuitId: 'next' }));
  });

  it('marks a circuit as unsound at once, even if it was to retire later', async () => {
    await rotateCircuit(chain, { graceSeconds: DAY });
    await chain.confirm(prove());
    await chain.confirm(retireCircuit({ unsound: true }));
    expect(await circuitOf()).toMatchObject({ unsound: true });
    await retiresAt(NOW);
    expect(await circuitOf('next')).toMatchObject({ unsound: false, retiredAt: none() });
    chain.setTime(NOW - 1n);
    await chain.reject('CIRCUIT_RETIRED', prove());
  });

  it('never makes an unsound circuit sound again', async () => {
    await chain.confirm(retireCircuit({ unsound: true }));
    await chain.confirm(retireCircuit({ unsound: false, graceSeconds: DAY }));
    expect(await circuitOf()).toMatchObject({ unsound: true });
    await retiresAt(NOW);
  });

  it('refuses the upgrade authority and a verifier', async () => {
    for (const authority of ['upgrade authority', 'verifier', 'issuer']) {
      await chain.reject('NOT_AUTHORITY', retireCircuit({ authority }));
    }
  });
});
