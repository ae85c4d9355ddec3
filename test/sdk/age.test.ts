/** The day on which age is counted, on a real cluster: today by the chain, whatever the credential's expiry is. */
import { dateCodeAt } from '@service/protocol/eligibility';
import {
  buildEligibilityContext,
  generateEligibilityProof,
  latestPassExpiry,
  type Witness,
} from '@service/sdk';
import { issueCredential, newWitness, transferSol } from '@service/server/test-service';
import type { Address } from '@solana/kit';
import { expect, test } from 'vitest';
import { useMarket } from './support/market.ts';

const market = useMarket();

const DAY = 86_400n;
/** The difference of two date codes that are a year apart. */
const YEAR = 512;

/** Creates a signed-in wallet with a credential: 18 since some days, with a life in days. */
async function adultSince(days: bigint, { lifetime }: { lifetime: bigint }) {
  const { world } = market;
  const party = await market.party();
  const wallet = party.signer.address;
  const birthday = BigInt(world.net.time) - days * DAY;
  const birthDate = dateCodeAt(birthday) - 18 * YEAR;
  const attributes = { ...newWitness(), birthDate };
  world.net.setTime(world.net.time + 2);
  world.net.advanceSlots(1);
  await issueCredential(world, { wallet, witness: attributes, lifetimeSeconds: lifetime * DAY });
  const [year, monthAndDay] = new Date(Number(birthday) * 1_000).toISOString().split('T')[0]!.split(/-(.*)/);
  const witness: Witness = {
    wallet,
    region: 'FR',
    status: 'retail',
    birthDate: `${Number(year) - 18}-${monthAndDay}`,
    salt: attributes.salt.toString(),
    person: attributes.person.toString(),
  };
  return { ...party, witness };
}

/** Creates a rule set with passes for 30 days. */
async function monthlyRule() {
  const { client, signer } = market.issuer;
  const monthly = { ...market.adults, maxPassAgeSeconds: 30n * DAY };
  const { rule } = await market.live(() => client.createRuleSet(signer, monthly));
  await transferSol(market.world, signer, { destination: rule, lamports: 10_000_000n });
  await market.world.finalize();
  return rule;
}

/** Makes a proof now for a pass with this expiry, by default the latest. Returns a call that submits it. */
async function proofNow(rule: Address, until?: bigint) {
  const { signer, client, witness } = await market.party();
  const facts = await client.proofContext({ rule });
  const context = buildEligibilityContext(facts.credential, facts.ruleSet, until ?? latestPassExpiry(facts));
  const proof = await generateEligibilityProof(context, witness, client.artifacts);
  expect(context.asOf).toBe(dateCodeAt(facts.chainTime));
  return () => market.live(() => client.prove(signer, proof));
}

test('a person who is 18 since ten days proves a rule set of 30 days, though the credential ends in 15', async () => {
  const rule = await monthlyRule();
  const adult = await adultSince(10n, { lifetime: 15n });
  const check = await adult.client.checkProof({ rule, witness: adult.witness });
  expect(check).toMatchObject({ ok: true });
  const { passExpiresAt } = await market.live(() =>
    adult.client.prove(adult.signer, { rule, witness: adult.witness }),
  );
  expect(passExpiresAt).toBe(check.latestExpiresAt);
});

test('a person who is 18 from today on can prove, and could not yesterday', async () => {
  const { rule } = market;
  const adult = await adultSince(0n, { lifetime: 15n });
  expect(await adult.client.checkProof({ rule, witness: adult.witness })).toMatchObject({ ok: true });
  const child = await adultSince(-1n, { lifetime: 15n });
  const check = await child.client.checkProof({ rule, witness: child.witness });
  expect(check).toMatchObject({ reasons: [{ code: 'NOT_ELIGIBLE', clauses: [{ unmet: ['age'] }] }] });
});

test('a proof that was made before midnight opens a pass after it, and until the next midnight', async () => {
  const { world } = market;
  const rule = await monthlyRule();
  const midnight = (BigInt(world.net.time) / DAY + 1n) * DAY;
  market.setTime(midnight - 30n);
  const until = midnight + 3n * DAY;
  const [submit, submitLate, submitTooLate] = [
    await proofNow(rule, until),
    await proofNow(rule, until),
    await proofNow(rule, until),
  ];
  market.setTime(midnight + 60n);
  expect(await submit()).toMatchObject({ passExpiresAt: until });
  market.setTime(midnight + DAY - 60n);
  expect(await submitLate()).toMatchObject({ passExpiresAt: until });
  // Only the proof is posted, and the service tries no earlier day.
  market.setTime(midnight + DAY + 60n);
  await expect(submitTooLate()).rejects.toMatchObject({ code: 'PROOF_INVALID' });
});

test('a proof of the longest pass opens it on a later day too', async () => {
  const rule = await monthlyRule();
  const { signer, client, witness } = await market.party();
  const start = BigInt(market.world.net.time);
  const wallet = signer.address;
  await issueCredential(market.world, {
    wallet,
    witness: { ...newWitness(), salt: BigInt(witness.salt), person: BigInt(witness.person) },
    lifetimeSeconds: 60n * DAY,
    secondsAhead: 5n,
  });
  const facts = await client.proofContext({ rule });
  const expiresAt = latestPassExpiry(facts);
  expect(expiresAt).toBeGreaterThanOrEqual(start + 30n * DAY);
  const context = buildEligibilityContext(facts.credential, facts.ruleSet, expiresAt);
  const proof = await generateEligibilityProof(context, witness, client.artifacts);
  market.setTime(start + 4n * DAY);
  expect(await market.live(() => client.prove(signer, proof))).toMatchObject({ passExpiresAt: expiresAt });
});
