/** The day on which age is counted, on a real cluster: today by the chain, whatever the credential's expiry is. */
import { dateCodeAt } from '@service/protocol/eligibility';
import {
  buildEligibilityContext,
  generateEligibilityProof,
  latestPassExpiry,
  type Witness,
} from '@service/sdk';
import { issueCredential, newWitness, transferSol } from '@service/test-support/service';
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
  };
  return { ...party, witness };
}

test('a person who is 18 since ten days proves a rule set of 30 days, though the credential ends in 15', async () => {
  const { client, signer } = market.issuer;
  const { rule } = await market.live(() =>
    client.createRuleSet(signer, { ...market.adults, maxPassAgeSeconds: 30n * DAY }),
  );
  await transferSol(market.world, signer, { destination: rule, lamports: 10_000_000n });
  await market.world.finalize();
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

test('a proof that was made before midnight opens a pass after it', async () => {
  const { rule, world } = market;
  const midnight = (BigInt(world.net.time) / DAY + 1n) * DAY;
  market.setTime(midnight - 30n);
  const { signer, client, witness } = await market.party();
  const facts = await client.proofContext({ rule });
  const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts) - 7_200n);
  const proof = await generateEligibilityProof(context, witness, client.artifacts);
  expect(context.asOf).toBe(dateCodeAt(midnight - 1n));
  market.setTime(midnight + 60n);
  const { passExpiresAt } = await market.live(() => client.prove(signer, proof));
  expect(passExpiresAt).toBe(context.expiresAt);
});
