import { expect, it } from 'vitest';
import { isOnItsWay } from '../../examples/react/src/holder/credential/is-on-its-way.ts';

it.each([
  ['came back with a witness before the report arrived', true, 'STARTED', true],
  ['reloaded while the credential is issued', false, 'ISSUING', true],
  ['reloaded after that', false, 'ISSUED', true],
  ['has the witness of an earlier verification, and went back at the verifier', false, 'STARTED', false],
  ['was refused', false, 'FAILED', false],
] as const)('a person who %s: %s, %s', (_who, isNewWitness, state, expected) => {
  expect(isOnItsWay(isNewWitness, state)).toBe(expected);
});
