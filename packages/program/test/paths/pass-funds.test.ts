/**
 * No holder takes more of the pass funds than one fee for each half of the longest pass life, or for each hour with the
 * help of a verifier or of governance. With a limit of wallets, the same holds for each place of a person, and a wallet that
 * replaces another one takes one fee more.
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
import { endPasses, PASS_FEE, setPassFee } from '../support/governance.ts';
import { closePass, eligibleChain, LATEST_EXPIRY, passOf, prove } from '../support/passes.ts';
import { addLimitedRuleSet, LIMITED_RULE, LIMITED_TERMS, proveInPlace } from '../support/places.ts';
import { passAt, passFundsOf, RULE, withdrawPassFunds } from '../support/rule-sets.ts';

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

it.each(Object.entries(ATTACKS))('%s takes no second fee within an hour', async (_, { again, changes }) => {
  await chain.confirm(prove());
  for (let round = 1n; round <= ROUNDS; round += 1n) {
    // The last round is in the last second of the hour.
    if (round === ROUNDS) chain.setTime(NOW + HOUR - 1n);
    const attributes = changes && round % 2n === 1n ? OTHER : ATTRIBUTES;
    const issuedAt = NOW + 2n * round;
    if (changes) {
      await chain.confirm(issueCredential({ issuedAt, commitment: commitmentBytes(attributes) }));
    }
    await again(issuedAt);
    await chain.send(prove({ attributes }));
  }
  expect(passFundsOf(chain, RULE)).toBe(9n * PASS_FEE);
});

it('governance takes no second fee within an hour by ending all passes every second', async () => {
  await chain.confirm(prove());
  for (let second = 1n; second <= 20n; second += 1n) {
    await chain.confirm(endPasses());
    if (second % 2n === 0n) await chain.send(closePass());
    chain.setTime(NOW + second);
    await chain.confirm(prove());
  }
  expect(passFundsOf(chain, RULE)).toBe(9n * PASS_FEE);
});

it('the proofs without a fee do not move the time of the next fee', async () => {
  await chain.confirm(prove());
  const fees: bigint[] = [];
  for (const time of [NOW + 40n * 60n, NOW + HOUR - 1n, NOW + HOUR, NOW + HOUR + 1n, NOW + 2n * HOUR - 1n]) {
    chain.setTime(time);
    await chain.confirm(discardCredential({ passes: [PASS] }));
    await chain.confirm(issueCredential({ issuedAt: time + 1n }));
    await chain.confirm(prove());
    fees.push(9n - passFundsOf(chain, RULE) / PASS_FEE);
  }
  expect(fees).toEqual([0n, 0n, 1n, 1n, 1n]);
});

it('a proof without a fee needs no pass funds, and no pass fee', async () => {
  await chain.confirm(prove());
  await chain.confirm(withdrawPassFunds({ lamports: passFundsOf(chain, RULE) }));
  await chain.confirm(endPasses(), setPassFee({ passFee: null }));
  chain.setTime(NOW + 1n);
  await chain.confirm(prove());
  expect(await passOf(chain)).toMatchObject({ issuedAt: NOW + 1n, paidAt: Number(NOW) });
});

it('a stranger who ends a young pass after a new verification does not keep the holder from proving', async () => {
  await chain.confirm(prove());
  chain.setTime(NOW + 60n);
  await chain.confirm(issueCredential({ issuedAt: NOW + 60n, commitment: commitmentBytes(OTHER) }));
  await chain.reject('PASS_RENEWAL_TOO_EARLY', prove({ attributes: OTHER }));
  await chain.confirm(closePass());
  await chain.confirm(prove({ attributes: OTHER }));
  expect(await passOf(chain)).toMatchObject({ expiresAt: LATEST_EXPIRY, issuedAt: NOW + 60n });
  expect(passFundsOf(chain, RULE)).toBe(9n * PASS_FEE);
});

/** Wallets of one person, more than the person has places. */
const WALLETS = ['holder', 'other holder', 'outsider', 'cold wallet', 'hot wallet', 'lost wallet'] as const;

it('a person takes as many fees with many wallets as the rule set has places, until an hour has passed', async () => {
  const feesTaken = async (hours: bigint) => {
    const before = passFundsOf(chain, LIMITED_RULE);
    const wallets = [...WALLETS];
    for (let hour = 0n; hour < hours; hour += 1n) {
      // In the last second of the hour too, every wallet tries each place, and to replace every other wallet there.
      for (const time of [NOW + hour * HOUR, NOW + (hour + 1n) * HOUR - 1n]) {
        chain.setTime(time);
        for (const wallet of wallets) await tryEachPlace(wallet);
      }
    }
    return (before - passFundsOf(chain, LIMITED_RULE)) / PASS_FEE;
  };
  const tryEachPlace = async (wallet: string) => {
    for (const place of [0, 1]) {
      const proving = { wallet, place };
      await chain.send(proveInPlace(proving));
      for (const replaces of WALLETS) await chain.send(proveInPlace({ ...proving, replaces }));
    }
  };
  await addLimitedRuleSet(chain, { passFunds: 40n * PASS_FEE });
  for (const wallet of WALLETS.slice(1)) await chain.confirm(issueCredential({ wallet }));

  const places = BigInt(LIMITED_TERMS.walletsPerPerson);
  expect(await feesTaken(3n)).toBe(3n * places);
});

it('with a new credential each hour, a person takes at most two fees of each place in an hour', async () => {
  await addLimitedRuleSet(chain);
  for (const wallet of ['other holder', 'outsider']) await chain.confirm(issueCredential({ wallet }));
  await chain.confirm(proveInPlace());
  for (const hour of [1n, 2n]) {
    chain.setTime(NOW + hour * HOUR);
    const [holds, takes, waits] = hour === 1n ? WALLETS : [WALLETS[1], WALLETS[2], WALLETS[0]];
    const attributes = { ...OTHER, salt: 100n + hour };
    const renewed = { issuedAt: chain.time, commitment: commitmentBytes(attributes) };
    await chain.confirm(issueCredential({ wallet: holds, ...renewed }));
    await chain.confirm(proveInPlace({ wallet: holds, attributes }));
    await chain.confirm(proveInPlace({ wallet: takes, replaces: holds }));
    // Each waits for another hour: the wallet that holds the place, and one that takes it.
    await chain.confirm(issueCredential({ wallet: takes, ...renewed, issuedAt: chain.time + 1n }));
    chain.setTime(chain.time + HOUR - 1n);
    await chain.reject('PASS_RENEWAL_TOO_EARLY', proveInPlace({ wallet: takes, attributes }));
    const back = { wallet: waits, replaces: takes };
    await chain.reject('PLACE_TAKEN_TOO_SOON', proveInPlace({ ...back, ...(await currentOf(waits)) }));
    expect(passFundsOf(chain, LIMITED_RULE)).toBe((9n - 2n * hour) * PASS_FEE);
  }
});

/** Returns the attributes of the credential that a wallet of the test before holds. */
async function currentOf(wallet: string) {
  const { commitment } = await credentialOf(chain, wallet);
  const salts = [ATTRIBUTES.salt, 101n, 102n];
  const found = salts.find((salt) =>
    Buffer.from(commitmentBytes({ ...OTHER, salt })).equals(Uint8Array.from(commitment)),
  );
  return { attributes: { ...OTHER, salt: found! } };
}
