import { MAX_CIRCUIT_GRACE_SECONDS } from '@service/protocol';
import {
  RULE_SET_PASS_ERROR__ALREADY_INITIALIZED as ALREADY_INITIALIZED,
  RULE_SET_PASS_ERROR__CIRCUIT_MISMATCH as CIRCUIT_MISMATCH,
  RULE_SET_PASS_ERROR__DUPLICATE_ACCOUNT as DUPLICATE_ACCOUNT,
  RULE_SET_PASS_ERROR__GRACE_INVALID as GRACE_INVALID,
  getCircuitDecoder,
  RULE_SET_PASS_ERROR__NAME_INVALID as NAME_INVALID,
  RULE_SET_PASS_ERROR__NOT_AUTHORITY as NOT_AUTHORITY,
  RULE_SET_PASS_ERROR__NOT_WRITABLE as NOT_WRITABLE,
  RULE_SET_PASS_ERROR__VERIFYING_KEY_INVALID as VERIFYING_KEY_INVALID,
  RULE_SET_PASS_ERROR__WRONG_ACCOUNT_TYPE as WRONG_ACCOUNT_TYPE,
} from '@service/protocol/generated';
import { describe, expect, it } from 'vitest';
import { describeAccounts } from './_account-checks.ts';
import {
  ARTIFACTS_DIGEST,
  at,
  CIRCUIT_ID,
  configOf,
  initializedChain,
  pause,
  setCircuit,
  VERIFYING_KEY,
} from './_governance.ts';
import { placeOf, withData, withReadonly } from './_instruction.ts';
import { badNames } from './_names.ts';
import { expectDone, expectRefused } from './_outcome.ts';
import { type Chain, DAY, NOW } from './_setup.ts';

/** Where the six points of a verifying key begin. */
const POINTS = { alpha: 0, beta: 64, gamma: 192, delta: 320, ic0: 448, ic1: 512 };

/** x = 1 on the twist with one of its two y: on the curve, but not of the group of order r. */
const OUTSIDE_GROUP = Buffer.from(
  '0000000000000000000000000000000000000000000000000000000000000000' +
    '0000000000000000000000000000000000000000000000000000000000000001' +
    '0d1271953ed9ea0836846e70a1934187998c7f790cb4d7511b7f8da82de048a4' +
    '2869111d5381f072f8e2728fdb825a51aadd70e52c9830e9ab4b871c0531f1bb',
  'hex',
);

const circuitOf = async (chain: Chain, id: string) =>
  getCircuitDecoder().decode(chain.data(await at.circuit(id)));

/** A chain with the first circuit set. */
async function withFirst(): Promise<Chain> {
  const chain = await initializedChain();
  expectDone(await chain.send(await setCircuit()));
  return chain;
}

/** `set-circuit` of a next circuit, after the first. */
async function setNext(change: Parameters<typeof setCircuit>[0] = {}) {
  return setCircuit({ id: 'eligibility-next', previousCircuit: await at.circuit(CIRCUIT_ID), ...change });
}

describe('set-circuit', () => {
  it('creates the first circuit and makes it the active one', async () => {
    const chain = await initializedChain();

    const outcome = expectDone(await chain.send(await setCircuit()));

    const circuit = await at.circuit(CIRCUIT_ID);
    expect([...outcome.changed].sort()).toEqual([circuit, await at.config()].sort());
    expect(await circuitOf(chain, CIRCUIT_ID)).toMatchObject({
      id: CIRCUIT_ID,
      artifactsDigest: ARTIFACTS_DIGEST,
      retiredAt: { __option: 'None' },
      unsound: false,
      verifyingKey: VERIFYING_KEY,
    });
    expect((await configOf(chain)).activeCircuit).toEqual({ __option: 'Some', value: circuit });
  });

  it('retires the one before after the grace, to the second', async () => {
    const chain = await withFirst();

    expectDone(await chain.send(await setNext({ graceSeconds: DAY })));

    expect((await circuitOf(chain, CIRCUIT_ID)).retiredAt).toEqual({ __option: 'Some', value: NOW + DAY });
    expect((await circuitOf(chain, 'eligibility-next')).retiredAt).toEqual({ __option: 'None' });
    expect((await configOf(chain)).activeCircuit).toEqual({
      __option: 'Some',
      value: await at.circuit('eligibility-next'),
    });
  });

  it('takes the longest grace, no grace, and works while paused', async () => {
    const chain = await withFirst();
    await pause(chain);
    expectDone(await chain.send(await setNext({ graceSeconds: MAX_CIRCUIT_GRACE_SECONDS })));
    const third = await setCircuit({ id: 'c', previousCircuit: await at.circuit('eligibility-next') });
    expectDone(await chain.send(third));
    expect((await circuitOf(chain, CIRCUIT_ID)).retiredAt).toMatchObject({
      value: NOW + MAX_CIRCUIT_GRACE_SECONDS,
    });
    expect((await circuitOf(chain, 'eligibility-next')).retiredAt).toMatchObject({ value: NOW });
  });

  it('refuses a longer grace', async () => {
    const chain = await withFirst();
    for (const graceSeconds of [MAX_CIRCUIT_GRACE_SECONDS + 1n, 2n ** 64n - 1n]) {
      expectRefused(await chain.send(await setNext({ graceSeconds })), GRACE_INVALID);
    }
  });

  it('refuses another circuit as the one before, or none', async () => {
    const chain = await withFirst();
    expectDone(await chain.send(await setNext()));
    const third = { id: 'third', previousCircuit: await at.circuit(CIRCUIT_ID) };
    expectRefused(await chain.send(await setCircuit(third)), CIRCUIT_MISMATCH);
    expectRefused(await chain.send(await setCircuit({ id: 'third' })), CIRCUIT_MISMATCH);
  });

  it('refuses one before the first', async () => {
    const chain = await initializedChain();
    const setting = await setCircuit({ previousCircuit: await at.treasury() });
    expectRefused(await chain.send(setting), CIRCUIT_MISMATCH);
  });

  it('refuses an id a second time: a circuit never changes', async () => {
    const chain = await withFirst();
    expectDone(await chain.send(await setNext()));
    const again = await setCircuit({ previousCircuit: await at.circuit('eligibility-next') });
    expectRefused(await chain.send(again), ALREADY_INITIALIZED);
  });

  it('refuses the same circuit as new and as the one before', async () => {
    const chain = await withFirst();
    const itself = await setCircuit({ previousCircuit: await at.circuit(CIRCUIT_ID) });
    expectRefused(await chain.send(itself), DUPLICATE_ACCOUNT);
  });

  it('refuses who is not the governance authority', async () => {
    const chain = await withFirst();
    expectRefused(await chain.send(await setNext({ authority: 'stranger' })), NOT_AUTHORITY);
  });

  it.each(Object.entries(POINTS))('refuses a key whose %s is off the curve', async (_, start) => {
    const chain = await initializedChain();
    const verifyingKey = Uint8Array.from(VERIFYING_KEY);
    verifyingKey[start + 63]! ^= 1;
    expectRefused(await chain.send(await setCircuit({ verifyingKey })), VERIFYING_KEY_INVALID);
  });

  it.each(Object.entries(POINTS))(
    'refuses a key whose %s has a coordinate above the modulus',
    async (_, start) => {
      const chain = await initializedChain();
      const verifyingKey = Uint8Array.from(VERIFYING_KEY);
      verifyingKey.fill(0xff, start, start + 32);
      expectRefused(await chain.send(await setCircuit({ verifyingKey })), VERIFYING_KEY_INVALID);
    },
  );

  it.each(Object.entries(POINTS))('refuses a key whose %s is at infinity', async (name, start) => {
    const chain = await initializedChain();
    const verifyingKey = Uint8Array.from(VERIFYING_KEY);
    verifyingKey.fill(0, start, start + (['beta', 'gamma', 'delta'].includes(name) ? 128 : 64));
    expectRefused(await chain.send(await setCircuit({ verifyingKey })), VERIFYING_KEY_INVALID);
  });

  it.each(['beta', 'gamma', 'delta'] as const)(
    'refuses a key whose %s is outside the group',
    async (name) => {
      const chain = await initializedChain();
      const verifyingKey = Uint8Array.from(VERIFYING_KEY);
      verifyingKey.set(OUTSIDE_GROUP, POINTS[name]);
      expectRefused(await chain.send(await setCircuit({ verifyingKey })), VERIFYING_KEY_INVALID);
    },
  );

  // A padded id has no length of its own: what is too long or ends in zeros cannot be written down.
  const badIds = badNames.filter(([what, name]) => name.length <= 32 && what !== 'with a zero at its end');
  it.each(badIds)('refuses an id that is %s', async (_, name) => {
    const chain = await initializedChain();
    const padded = new Uint8Array(32);
    padded.set(name);
    const changed = withData(await setCircuit(), (data) => {
      data.set(padded, 1);
      return data;
    });
    expectRefused(await chain.send(changed), NAME_INVALID);
  });

  describeAccounts('setCircuit', {
    ready: async () => ({ chain: await initializedChain(), instruction: await setCircuit() }),
    created: ['circuit'],
    // The first circuit has none before it: the second time that is what is wrong.
    twice: CIRCUIT_MISMATCH,
    existing: ['config'],
  });

  it('refuses one before that is no circuit', async () => {
    const chain = await withFirst();
    chain.patch(await at.circuit(CIRCUIT_ID), 0, [8]);
    expectRefused(await chain.send(await setNext()), WRONG_ACCOUNT_TYPE);
  });

  it('refuses a read-only account as the one before', async () => {
    const chain = await withFirst();
    const setting = await setNext();
    const place = placeOf('setCircuit', 'previousCircuit');
    expectRefused(await chain.send(withReadonly(setting, place)), NOT_WRITABLE);
  });
});
