import { expect, it } from 'vitest';
import { latestPassExpiry } from './pass-expiry.ts';

it('returns the chain time plus the longest pass age, or the earlier expiry of the credential', () => {
  const facts = { chainTime: 1_000n, ruleSet: { maxPassAgeSeconds: 500n } };
  expect(latestPassExpiry({ ...facts, credential: { expiresAt: 9_000n } })).toBe(1_500n);
  expect(latestPassExpiry({ ...facts, credential: { expiresAt: 1_200n } })).toBe(1_200n);
});
