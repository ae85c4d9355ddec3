// Ask when a pass can be renewed, and revoke its credential, which ends the pass. Needs `npm start` in another terminal.
import './help.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { fetchCredential, fetchPass, fundRuleSet } from '@service/sdk/chain';
import { readDeployment, verifiedPerson, visitSandbox } from '@service/testing';

const deployment = await readDeployment();

// A person with a rule set and a pass of it, as in 05.
const answers = { region: 'PT', status: 'accredited', birthDate: '1988-08-08' } as const;
const { client, wallet, witness } = await verifiedPerson(deployment, answers);
const { rule } = await client.createRuleSet(wallet, {
  name: 'Portuguese investors',
  clauses: [{ regions: ['PT'], statuses: ['accredited'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
});
await fundRuleSet(wallet, { deployment, rule, lamports: 1_000_000n });
await client.prove(wallet, { rule, witness });

// With the same credential, a pass can be renewed after half of its longest life.
await printRenewal();

// With another credential, it can be renewed an hour after the last proof. The new witness belongs to the new credential.
const { url } = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
const { witness: newWitness, revoke } = await visitSandbox(url, answers);
await client.waitForCredential({ witness: newWitness });
await printRenewal();

async function printRenewal() {
  const check = await client.checkProof({ rule });
  for (const reason of check.ok ? [] : check.reasons) {
    if (reason.code === 'PASS_RENEWAL_TOO_EARLY') console.log('can be renewed in', reason.secondsLeft, 's');
  }
}

// The verifier takes its approval back, and revokes the credential.
await revoke();
while (!(await fetchCredential({ deployment, wallet: wallet.address }))?.revoked) await delay(500);
const ended = await fetchPass({ deployment, rule, wallet: wallet.address });
console.log('the pass ended, and is live for', ended?.secondsLeft ?? 0n, 's');

// Its account stays for an hour after the proof. After that, closePass returns its rent.
