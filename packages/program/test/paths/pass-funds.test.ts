/**
 * No holder takes more of the pass funds than one fee for each half of the longest pass life, or for each hour with the
 * help of a verifier.
 */
import { expect, it } from 'vitest';
import { HOUR, NOW } from '../support/chain.ts';
import { chainPerTest } from '../support/chain-per-test.ts';
import {
  ATTRIBUTES,
  CREDENTIAL_EXPIRY,
  commitmentBytes,
  credentialOf,
  discardCredential,
  issueCredential,
  revokeCredential,
} from '../support/credentials.ts';
import { PASS_FEE } from '../support/governance.ts';
import { closePass, eligibleChain, LATEST_EXPIRY, prove } from '../support/passes.ts';
import { passAt, passFundsOf, RULE } from '../support/rule-sets.ts';

const chain = chainPerTest(eligibleChain);

const PASS = await passAt('holder');
const ROUNDS = 12n;
const OTHER = { ...ATTRIBUTES, salt: 99n };

it('a pass of one second, closed after it has expired, does not drain the pass funds', async () => {
  await chain.confirm(prove({ expiresAt: NOW + 1n }));
  chain.setTime(NOW + 1n);
  await chain.send(closePass());
  await chain.reject('PASS_RENEWAL_TOO_EARLY', prove({ expiresAt: NOW + 2n }));
  expect(passFundsOf(chain, RULE)).toBe(9n * PASS_FEE);
});

/** What a holder and a verifier do between two proofs. Each issue is a second later than the one before. */
const ATTACKS: Record<string, { again: (issuedAt: bigint) => Promise<unknown>; changes?: boolean }> = {
  'a credential of the same commitment': {
    again: (issuedAt) => chain.confirm(issueCredential({ issuedAt })),
  },
  'a credential of another commitment': {
    again: async () => {},
    changes: true,
  },
  'a credential of another commitment, and the pass closed': {
    again: async () => chain.send(closePass()),
    changes: true,
  },
  'a revocation, the pass closed, and a credential of the same commitment': {
    again: async (issuedAt) => {
      await chain.confirm(revokeCredential({ revokedAt: (await credentialOf(chain)).issuedAt }));
      await chain.send(closePass());
      await chain.confirm(issueCredential({ issuedAt }));
    },
  },
  'a revocation that ends the pass, and a credential of the same commitment': {
    again: async (issuedAt) => {
      const revokedAt = (await credentialOf(chain)).issuedAt;
      await chain.confirm(revokeCredential({ revokedAt, passes: [PASS] }));
      await chain.confirm(issueCredential({ issuedAt }));
    },
  },
  'a credential that the wallet discards with the pass, and another one': {
    again: async () => {
      await chain.confirm(discardCredential({ passes: [PASS] }));
      const issuedAt = (await credentialOf(chain)).issuedAt + 1n;
      await chain.confirm(issueCredential({ issuedAt }));
    },
  },
  'a credential that expires before the pass, the pass closed, and the one before again': {
    again: async (issuedAt) => {
      await chain.confirm(issueCredential({ issuedAt, expiresAt: LATEST_EXPIRY - 1n }));
      await chain.send(closePass());
      await chain.confirm(issueCredential({ issuedAt: issuedAt + 1n, expiresAt: CREDENTIAL_EXPIRY }));
    },
  },
};

it.each(Object.entries(ATTACKS))('%s gives no second pass within an hour', async (_, { again, changes }) => {
  await chain.confirm(prove());
  let accepted = 0;
  for (let round = 1n; round <= ROUNDS; round += 1n) {
    // The last round is in the last second of the hour.
    if (round === ROUNDS) chain.setTime(NOW + HOUR - 1n);
    const attributes = changes && round % 2n === 1n ? OTHER : ATTRIBUTES;
    const issuedAt = NOW + 2n * round;
    if (changes) {
      await chain.confirm(issueCredential({ issuedAt, commitment: commitmentBytes(attributes) }));
    }
    await again(issuedAt);
    const { refusal } = await chain.send(prove({ attributes }));
    if (!refusal) accepted += 1;
  }
  expect(accepted).toBe(0);
  expect(passFundsOf(chain, RULE)).toBe(9n * PASS_FEE);
});
