// A custodian holds tokens without a proof: the creator of the rule set grants it a pass, and ends the grant.
// Needs `npm start` in another terminal.
import './help.ts';
import { ServiceClient } from '@service/sdk';
import { createBindableMint, createTokenAccount, fundRuleSet } from '@service/sdk/chain';
import { fundedWallet, readDeployment, verifiedPerson } from '@service/testing';

const deployment = await readDeployment();
const issuer = await verifiedPerson(deployment, { region: 'NO' });

// The rule set allows grants, and the binding of the mint accepts granted passes. Holders see both.
const { rule } = await issuer.client.createRuleSet(issuer.wallet, {
  name: 'Norwegian professionals',
  clauses: [{ regions: ['NO'], statuses: ['professional'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
  powers: ['grant'],
});
await fundRuleSet(issuer.wallet, { deployment, rule, lamports: 1_000_000n });
const { mint } = await createBindableMint(issuer.wallet, { deployment, decimals: 2 });
await issuer.client.bindMint(issuer.wallet, { mint, rule, requireSource: false, honoursGranted: true });

// A holder with tokens, who proved the rule set.
const holder = await verifiedPerson(deployment, { region: 'NO' });
await holder.client.prove(holder.wallet, { rule, witness: holder.witness });
const own = (await createTokenAccount(holder.wallet, { deployment, mint })).tokenAccount;
await issuer.client.issue(issuer.wallet, { mint, destination: own, amount: 100_00n });

// The custodian is a company, or the vault of a program, so it cannot prove anything about a person.
const custodian = await fundedWallet(deployment);
const owner = custodian.address;
const custody = (await createTokenAccount(issuer.wallet, { deployment, mint, owner })).tokenAccount;
await printCheck();
const { chainTime } = await issuer.client.network();
const grant = { rule, holder: owner, expiresAt: chainTime + 3_600n };
console.log('granted a pass:', (await issuer.client.grant(issuer.wallet, grant)).pass);
await printCheck();

// The tokens go to the custodian, and come back. The custodian signs in only because it transfers through the service.
const deposit = { mint, source: own, destination: custody, amount: 60_00n };
console.log('deposited 60.00:', (await holder.client.transfer(holder.wallet, deposit)).signature);
const client = new ServiceClient({ deployment });
await client.authenticate(custodian, deployment.genesisHash);
const withdrawal = { mint, source: custody, destination: own, amount: 60_00n };
console.log('returned 60.00:', (await client.transfer(custodian, withdrawal)).signature);

// 0 ends the grant. The account of the pass closes, and its rent goes back to the creator.
await issuer.client.grant(issuer.wallet, { ...grant, expiresAt: 0n });
await printCheck();

async function printCheck() {
  const check = await holder.client.checkTransfer({ mint, source: own, destination: custody, amount: 1n });
  console.log('a deposit would', check.ok ? 'succeed' : `fail: ${check.reasons.map(({ code }) => code)}`);
}
