import { POSEIDON_INPUTS, UNREDUCED_INPUTS } from '@service/circuit/poseidon-inputs';
import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon3 } from 'poseidon-lite/poseidon3';
import { poseidon11 } from 'poseidon-lite/poseidon11';
import { expect, it } from 'vitest';
import { startPoseidon } from './support/syscall-poseidon.ts';

const bytesOf = (number: bigint) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');

/** By the number of inputs. */
const BY_COUNT = { 2: poseidon2, 3: poseidon3, 11: poseidon11 };

const hashOf = await startPoseidon();

it('the runtime computes Poseidon like poseidon-lite', async () => {
  for (const inputs of POSEIDON_INPUTS) {
    const hashed = BY_COUNT[inputs.length as keyof typeof BY_COUNT];
    const expected = hashed([...inputs]);
    const hash = await hashOf(inputs.map(bytesOf));
    expect(Buffer.from(hash ?? []).toString('hex'), String(inputs)).toBe(bytesOf(expected).toString('hex'));
  }
});

it('the runtime refuses Poseidon for a number that is not below the order', async () => {
  for (const inputs of UNREDUCED_INPUTS) {
    expect(await hashOf(inputs.map(bytesOf)), String(inputs)).toBeNull();
  }
});
