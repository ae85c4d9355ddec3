// Prove a rule set in zero knowledge and get a pass. Needs `npm start` in another terminal.
import './help.ts';
import { buildEligibilityContext, generateEligibilityProof, latestPassExpiry } from '@service/sdk';
import { fundRuleSet } from '@service/sdk/chain';
import { readDeployment, verifiedPerson } from '@service/testing';

const deployment = await readDeployment();

// A person with SOL and a credential, as in 03.
const answers = { region: 'CH', status: 'accredited', birthDate: '1985-02-28' } as const;
const { client, wallet, witness } = await verifiedPerson(deployment, answers);

// A rule set, as in 04.
const { rule } = await client.createRuleSet(wallet, {
  name: 'Swiss investors',
  clauses: [{ regions: ['CH', 'LI'], statuses: ['accredited'], minAge: 21 }],
  maxPassAgeSeconds: 86_400n,
});
await fundRuleSet(wallet, { deployment, rule, lamports: 10_000_000n });

// This machine makes and verifies the proof. Only the proof leaves it.
const facts = await client.proofContext({ rule });
const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
let shown = '';
const proof = await generateEligibilityProof(context, witness, client.artifacts, {
  onProgress: ({ phase }) => {
    if (phase !== shown) console.log('  ', phase);
    shown = phase;
  },
});
const { pass, passExpiresAt } = await client.prove(wallet, proof);
console.log('pass', pass, 'until', new Date(Number(passExpiresAt) * 1000));
