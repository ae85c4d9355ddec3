import { expect, it, test } from 'vitest';
import { DEPLOYMENT } from '../../test/support/deployment.ts';
import { createState } from './create-state.ts';

it('remembers the nonces of the last 1,000 sign-ins, so that a long-lived client does not grow', () => {
  const { usedNonces } = createState({ deployment: DEPLOYMENT as never }).session;
  for (let nonce = 0; nonce <= 1_000; nonce += 1) usedNonces.set(`${nonce}`, true);
  expect(usedNonces.size).toBe(1_000);
  expect(usedNonces.get('0')).toBeUndefined();
  expect(usedNonces.get('1000')).toBe(true);
});

test.each([
  ['maxPriorityFeeLamports', Number.NaN],
  ['maxPriorityFeeLamports', 'many'],
  ['maxPriorityFeeLamports', 10_000],
  ['maxPriorityFeeLamports', -1n],
  ['maxPriorityFeeLamports', null],
  ['guards', 'false'],
  ['guards', null],
])('rejects %s of %s', (field, value) => {
  const create = () => createState({ deployment: DEPLOYMENT as never, [field]: value });
  expect(create).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', context: { field } }));
});
