import { getAddressDecoder } from '@solana/kit';
import { expect, test } from 'vitest';
import { DEVELOPMENT_PROGRAM } from '../index.ts';
import { bindMintInstruction, createRuleSetInstruction } from './instruction.ts';

const key = (byte: number) => getAddressDecoder().decode(new Uint8Array(32).fill(byte));
const RULE_SET = {
  kind: 'CREATE_RULE_SET',
  wallet: key(1),
  name: 'x',
  nonce: 1n,
  clauses: [{ regionMask: 1n, statusMask: 1, minAge: 0 }],
  maxPassAgeSeconds: 3_600n,
} as const;
const BINDING = {
  kind: 'BIND_MINT',
  wallet: key(1),
  mint: key(2),
  rule: key(3),
  requireSource: true,
} as const;

const ruleSet = async (change: Partial<Parameters<typeof createRuleSetInstruction>[1]> = {}) => [
  ...(await createRuleSetInstruction(DEVELOPMENT_PROGRAM, { ...RULE_SET, ...change })).data!,
];
const binding = async (change: { honoursGranted?: boolean; readsCredential?: boolean } = {}) => [
  ...(await bindMintInstruction(DEVELOPMENT_PROGRAM, { ...BINDING, ...change })).data!,
];

test('a rule set has powers and a verifier in its data only if the request names some', async () => {
  const plain = await ruleSet();
  // Number, nonce, name with its length, longest pass life, and one clause with the count.
  expect(plain).toHaveLength(1 + 8 + 2 + 8 + 1 + 37);
  expect(await ruleSet({ powers: [] })).toEqual(plain);
  const none = new Array<number>(33).fill(0);
  expect(await ruleSet({ powers: ['suspend'] })).toEqual([...plain, 1, ...none]);
  expect(await ruleSet({ powers: ['grant'] })).toEqual([...plain, 2, ...none]);
  expect(await ruleSet({ powers: ['grant', 'suspend'] })).toEqual([...plain, 3, ...none]);
  const verifier = [1, ...new Array<number>(32).fill(7)];
  expect(await ruleSet({ verifier: key(7) })).toEqual([...plain, 0, ...verifier]);
  expect(await ruleSet({ powers: ['suspend'], verifier: key(7) })).toEqual([...plain, 1, ...verifier]);
});

test('a binding says that it honours granted passes only if it does', async () => {
  expect(await binding()).toEqual([10, 1]);
  expect(await binding({ honoursGranted: false })).toEqual([10, 1]);
  expect(await binding({ honoursGranted: true })).toEqual([10, 1, 1]);
});

test('a binding says that it reads credentials only if it does, after whether it honours granted passes', async () => {
  expect(await binding({ readsCredential: false })).toEqual([10, 1]);
  expect(await binding({ readsCredential: true })).toEqual([10, 1, 0, 1]);
  expect(await binding({ honoursGranted: false, readsCredential: true })).toEqual([10, 1, 0, 1]);
  expect(await binding({ honoursGranted: true, readsCredential: true })).toEqual([10, 1, 1, 1]);
  expect(await binding({ honoursGranted: true, readsCredential: false })).toEqual([10, 1, 1]);
});
