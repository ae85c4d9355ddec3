// From nothing to a transfer. Needs `npm start` in another terminal, which writes deployment.json.
import './help.ts';
import { createBindableMint, createTokenAccount, fundRuleSet } from '@service/sdk/chain';
import { readDeployment, verifiedPerson } from '@service/testing';

const deployment = await readDeployment();

// Two verified people with a wallet and SOL, signed in. In a dApp these are your users, with their own wallets.
const answers = { region: 'FR', status: 'professional', birthDate: '1990-05-17' } as const;
const issuer = await verifiedPerson(deployment, answers);
const holder = await verifiedPerson(deployment, answers);

// A rule set, SOL for the fees of its passes, and a pass for each person. This machine makes the proofs.
const clauses = [{ regions: ['FR'], statuses: ['professional'], minAge: 18 }] as const;
const rules = { name: 'French professionals', clauses, maxPassAgeSeconds: 86_400n };
const { rule } = await issuer.client.createRuleSet(issuer.wallet, rules);
await fundRuleSet(issuer.wallet, { deployment, rule, lamports: 10_000_000n });
for (const { client, wallet, witness } of [issuer, holder]) await client.prove(wallet, { rule, witness });

// A mint whose tokens move only between holders of live passes. Amounts are in base units: 250_00n is 250.00.
const { mint } = await createBindableMint(issuer.wallet, { deployment, decimals: 2 });
await issuer.client.bindMint(issuer.wallet, { mint, rule, requireSource: true });
const { tokenAccount: source } = await createTokenAccount(issuer.wallet, { deployment, mint });
const { tokenAccount: destination } = await createTokenAccount(holder.wallet, { deployment, mint });
await issuer.client.issue(issuer.wallet, { mint, destination: source, amount: 1_000_00n });
await issuer.client.transfer(issuer.wallet, { mint, source, destination, amount: 250_00n });
console.log('transferred 250.00 to', destination);
