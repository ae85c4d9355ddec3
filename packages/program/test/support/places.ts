/** A rule set in which each person has two places, and `prove` in these places. */
import type { WitnessAttributes } from '@service/protocol/eligibility';
import { getPlaceDecoder } from '@service/protocol/generated';
import { expect } from 'vitest';
import { addressOf, type Chain, HOUR } from './chain.ts';
import { commitmentBytes } from './credentials.ts';
import { at, PASS_FEE, verifierAt } from './governance.ts';
import type { World } from './invariants.ts';
import { LATEST_EXPIRY, type ProveChange, prove, tagBytes } from './passes.ts';
import { addRuleSet, TERMS } from './rule-sets.ts';

/** The nonce of the issuer's rule set in which each person has two places. */
export const LIMITED_NONCE = 9n;

/** The issuer's rule set in which each person has two places. */
export const LIMITED_RULE = await at.ruleSet(await addressOf('issuer'), LIMITED_NONCE);

/** What this rule set fixes. */
export const LIMITED_TERMS = { ...TERMS, verifier: await verifierAt('verifier'), walletsPerPerson: 2 };

/** Creates the rule set in which each person has two places, with funds for ten passes. */
export async function addLimitedRuleSet(
  chain: Chain,
  change: Omit<NonNullable<Parameters<typeof addRuleSet>[1]>, 'nonce'> = {},
) {
  return addRuleSet(chain, {
    terms: LIMITED_TERMS,
    passFunds: 10n * PASS_FEE,
    ...change,
    nonce: LIMITED_NONCE,
  });
}

/** `prove` by the holder in the first place of the person, in the rule set in which each has two. */
export const proveInPlace = (change: ProveChange = {}) => prove({ rule: LIMITED_RULE, place: 0, ...change });

/** Returns the address of a place of a person in this rule set. */
export async function placeAt(place = 0, change: Parameters<typeof tagBytes>[1] = {}) {
  const { rule = LIMITED_RULE } = change;
  return at.place(rule, await tagBytes(place, { ...change, rule }));
}

export async function placeOf(chain: Chain, place = 0, change: Parameters<typeof placeAt>[1] = {}) {
  return getPlaceDecoder().decode(chain.data(await placeAt(place, change)));
}

/** Lets a wallet prove in a place an hour ago. */
export async function heldForAnHour(chain: Chain, change: ProveChange = {}) {
  const now = chain.time;
  chain.setTime(now - HOUR);
  await chain.confirm(proveInPlace({ expiresAt: LATEST_EXPIRY - HOUR, ...change }));
  chain.setTime(now);
}

/**
 * Fails the test unless each wallet with a live proved pass holds a place of the person that it proved, so that no person
 * has more live proved passes than places. `credentials` has the attributes of every credential of the test.
 */
export async function expectPlaces(world: World, credentials: readonly WitnessAttributes[]): Promise<void> {
  const rule = LIMITED_RULE;
  const [passes, places] = [world.provedPasses(rule), world.placesOf(rule)];
  const textOf = (bytes: ArrayLike<number>) => Buffer.from(Uint8Array.from(bytes)).toString('hex');
  for (const person of new Set(credentials.map((each) => each.person))) {
    const own = credentials.filter((each) => each.person === person);
    const commitments = own.map((each) => textOf(commitmentBytes(each)));
    const tags: string[] = [];
    for (let place = 0; place < LIMITED_TERMS.walletsPerPerson; place += 1) {
      tags.push(textOf(await tagBytes(place, { rule, person })));
    }
    const holders = places.filter(({ tag }) => tags.includes(textOf(tag))).map(({ wallet }) => wallet);
    const wallets = passes
      .filter(({ commitment }) => commitments.includes(textOf(commitment)))
      .map(({ wallet }) => wallet);
    for (const wallet of wallets) expect(holders, 'a live pass has a place').toContain(wallet);
    expect(wallets.length, 'live passes of a person').toBeLessThanOrEqual(LIMITED_TERMS.walletsPerPerson);
  }
}
