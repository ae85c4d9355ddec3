import { expect, it } from 'vitest';
import { createCore } from './create-core.ts';

const ADDRESS = '7cqE6AS4cxp6bj3NQ3iX4su4xcDtMQNitRVR21RirKVi';

it('remembers the nonces of the last 1,000 sign-ins, so that a long-lived client does not grow', () => {
  const { usedNonces } = createCore({
    deployment: {
      program: ADDRESS,
      genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
      artifactsDigest: 'a'.repeat(64),
      rpcUrl: 'http://127.0.0.1:1',
      verifierOrigins: [],
      baseUrl: 'https://app.example',
    } as never,
  }).signIns;
  for (let nonce = 0; nonce <= 1_000; nonce += 1) usedNonces.set(`${nonce}`, true);
  expect(usedNonces.size).toBe(1_000);
  expect(usedNonces.get('0')).toBeUndefined();
  expect(usedNonces.get('1000')).toBe(true);
});
