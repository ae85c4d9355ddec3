// A rule set that two wallets of each person can prove: a second wallet, a third one that is refused, and a lost one to replace.
// Needs `npm start` in another terminal.
import './help.ts';
import { isServiceError } from '@service/sdk';
import { fetchPlaces, fundRuleSet } from '@service/sdk/chain';
import { readDeployment, verifiedPerson } from '@service/testing';

const deployment = await readDeployment();
// One person with three wallets: the verifier recognizes the document.
const person = { region: 'PT', document: crypto.randomUUID() } as const;
const first = await verifiedPerson(deployment, person);
const second = await verifiedPerson(deployment, person);
const third = await verifiedPerson(deployment, person);

// The limit counts people as one verifier does, so the rule set names it. Neither ever changes.
const { verifier } = first.credential;
const { rule } = await first.client.createRuleSet(first.wallet, {
  name: 'Two wallets each',
  clauses: [{ regions: ['PT'], statuses: ['professional'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
  verifier,
  walletsPerPerson: 2,
});
await fundRuleSet(first.wallet, { deployment, rule, lamports: 1_000_000n });

// Each wallet takes a place. Everybody sees that it holds one, but not that both wallets are of one person.
for (const { client, wallet, witness } of [first, second]) {
  await client.prove(wallet, { rule, witness });
  const places = await fetchPlaces({ deployment, rule, witness });
  const held = places.filter((place) => place.wallet !== null);
  console.log(`${held.length} of ${places.length} wallets`);
}
await prove();

// The first wallet is lost, so the third one replaces it. From then on, everybody sees that both are of one person.
// The chain allows this an hour after the lost wallet took its place. Then its pass ends.
await prove(first.wallet.address);

async function prove(replaces?: typeof first.wallet.address) {
  const { client, wallet, witness } = third;
  const asked = { rule, witness, ...(replaces ? { replaces } : {}) };
  try {
    console.log('the third wallet has a pass:', (await client.prove(wallet, asked)).pass);
  } catch (error) {
    const isLimit = isServiceError(error, 'NO_PLACE_FREE') || isServiceError(error, 'PLACE_TAKEN_TOO_SOON');
    if (!isLimit) throw error;
    console.log('the third wallet is refused:', error.code);
  }
}
