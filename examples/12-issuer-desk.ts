// What an issuer can do after the issue: recover the tokens of a lost wallet, suspend its pass, and lift the suspension.
// Needs `npm start` in another terminal.
import './help.ts';
import { isServiceError } from '@service/sdk';
import { createBindableMint, createTokenAccount, fetchPass, fundRuleSet } from '@service/sdk/chain';
import { readDeployment, verifiedPerson } from '@service/testing';

const deployment = await readDeployment();
const { client, wallet } = await verifiedPerson(deployment, { region: 'SE' });

// `powers` decides what the creator can do with passes, `template` what the issuer can do with tokens. Neither can change later.
const { rule } = await client.createRuleSet(wallet, {
  name: 'Swedish professionals',
  clauses: [{ regions: ['SE'], statuses: ['professional'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
  powers: ['suspend'],
});
await fundRuleSet(wallet, { deployment, rule, lamports: 1_000_000n });
const { mint } = await createBindableMint(wallet, { deployment, decimals: 2, template: 'security' });
await client.bindMint(wallet, { mint, rule, requireSource: false });

// A person holds tokens, loses the key, and proves the rule set again with a new wallet.
async function holder() {
  const person = await verifiedPerson(deployment, { region: 'SE' });
  await person.client.prove(person.wallet, { rule, witness: person.witness });
  const account = await createTokenAccount(person.wallet, { deployment, mint });
  return { address: person.wallet.address, tokenAccount: account.tokenAccount };
}
const [lost, fresh] = await Promise.all([holder(), holder()]);
await client.issue(wallet, { mint, destination: lost.tokenAccount, amount: 500_00n });

// The issuer signs. The owner does not. The chain records the reason, and everybody can see it.
const move = { mint, source: lost.tokenAccount, destination: fresh.tokenAccount, amount: 500_00n };
const recovered = await client.recover(wallet, { ...move, reason: 'lost-key' });
console.log('recovered 500.00 to the new wallet:', recovered.signature);

// Somebody could find the old key, so its pass no longer counts. 2^64 - 1 means until it is lifted.
await client.suspend(wallet, { rule, holder: lost.address, until: 2n ** 64n - 1n });
await printPass();
try {
  await client.issue(wallet, { mint, destination: lost.tokenAccount, amount: 1n });
} catch (error) {
  if (!isServiceError(error, 'OPERATION_FAILED')) throw error;
  console.log('the chain rejected an issue to the old wallet:', error.context.programError?.name);
}

// The person found the key after all.
await client.suspend(wallet, { rule, holder: lost.address, until: 0n });
await printPass();

async function printPass() {
  const pass = await fetchPass({ deployment, rule, wallet: lost.address });
  console.log('the pass of the old wallet is live for', pass?.secondsLeft, 's');
}
