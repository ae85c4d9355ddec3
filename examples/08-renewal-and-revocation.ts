// Renew a pass after a new verification, revoke the credential, and close the pass. Needs `npm start` in another terminal.
import './help.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { parseWitnessFragment } from '@service/sdk';
import { closePass, fetchCredential, fetchPass, fundRuleSet } from '@service/sdk/chain';
import { readDeployment, verifiedPerson } from '@service/testing';

const deployment = await readDeployment();

// A person with a rule set and a pass of it, as in 05.
const answers = { region: 'PT', status: 'accredited', birthDate: '1988-08-08' } as const;
const { client, wallet, witness, credential } = await verifiedPerson(deployment, answers);
const { rule } = await client.createRuleSet(wallet, {
  name: 'Portuguese investors',
  clauses: [{ regions: ['PT'], statuses: ['accredited'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
});
await fundRuleSet(wallet, { deployment, rule, lamports: 1_000_000n });
await client.prove(wallet, { rule, witness });

// With the same credential, a pass can be renewed after half of its longest life.
const check = await client.checkProof({ rule, witness });
if (!check.ok) {
  for (const reason of check.reasons) {
    if (reason.code === 'PASS_RENEWAL_TOO_EARLY') console.log('can be renewed in', reason.secondsLeft, 's');
  }
}

// A newer credential renews it at once. The new witness belongs to the new credential.
const { url } = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(answers), redirect: 'manual' });
const renewed = parseWitnessFragment(new URL(answer.headers.get('location') ?? url).hash);
if (!renewed) throw new Error('the verifier returned no witness');
await client.waitForCredential({ issuedAfter: credential.issuedAt });
const { passExpiresAt } = await client.prove(wallet, { rule, witness: renewed });
console.log('renewed until', new Date(Number(passExpiresAt) * 1000));

// The verifier revokes the credential. At the sandbox verifier, the link of the verification does it.
await fetch(`${url}/revoke`, { method: 'POST' });
while (!(await fetchCredential({ deployment, wallet: wallet.address }))?.revoked) await delay(500);
const live = await fetchPass({ deployment, rule, wallet: wallet.address });
console.log('the credential is revoked, but the pass is live for', live?.secondsLeft, 's');

// Anyone can close such a pass. The holder gets its rent back.
await closePass(wallet, { deployment, rule });
console.log('after closing:', await fetchPass({ deployment, rule, wallet: wallet.address }));
