// Show what a wallet has: credential, passes with countdowns, rule sets, bindings. Needs `npm start` in another terminal.
import './help.ts';
import { fetchPass, fundRuleSet } from '@service/sdk/chain';
import { readDeployment, verifiedPerson } from '@service/testing';

const deployment = await readDeployment();

// A person with a rule set and a pass of it, as in 05.
const { client, wallet, witness } = await verifiedPerson(deployment, { region: 'NO', status: 'retail' });
const { rule } = await client.createRuleSet(wallet, {
  name: 'Nordic adults',
  clauses: [{ regions: ['DK', 'FI', 'IS', 'NO', 'SE'], statuses: ['retail', 'professional'], minAge: 18 }],
  maxPassAgeSeconds: 7n * 86_400n,
});
await fundRuleSet(wallet, { deployment, rule, lamports: 1_000_000n });
await client.prove(wallet, { rule, witness });

// The passport comes from the service's index, in one request. Times are in Unix seconds.
const { credential, passes, ruleSets, bindings, index } = await client.passport();
const days = (seconds: bigint) => `${(Number(seconds) / 86_400).toFixed(1)} days`;
const left = (until: bigint) => (until > index.time ? `${days(until - index.time)} left` : 'expired');
const names = new Map(ruleSets.map(({ address, name }) => [address, name]));

console.log(
  'credential:',
  credential ? (credential.revoked ? 'revoked' : left(credential.expiresAt)) : 'none',
);
for (const pass of passes)
  console.log('pass for', names.get(pass.rule) ?? pass.rule, '-', left(pass.expiresAt));
for (const { name, livePasses, passFunds } of ruleSets) {
  console.log(`rule set ${name}: ${livePasses} live, ${passFunds} lamports for more passes`);
}
console.log('mints bound to these rule sets:', bindings.length);

// The service could be wrong. The chain is not: the same pass, from your own RPC, by the chain's clock.
const pass = await fetchPass({ deployment, rule, wallet: wallet.address });
console.log('on chain:', pass ? `${days(pass.secondsLeft)} left` : 'no pass');
