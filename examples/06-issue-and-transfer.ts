// Bind a mint, issue tokens to a pass holder and transfer them to another one. Needs `npm start` in another terminal.
import './help.ts';
import { isServiceError } from '@service/sdk';
import { createBindableMint, createTokenAccount, fundRuleSet } from '@service/sdk/chain';
import { readDeployment, verifiedPerson } from '@service/testing';
import { generateKeyPairSigner } from '@solana/kit';

const deployment = await readDeployment();

// Two people with SOL and a credential, as in 03.
const issuer = await verifiedPerson(deployment, { region: 'DE', status: 'institutional' });
const holder = await verifiedPerson(deployment, { region: 'DE', status: 'professional' });

// A funded rule set, as in 04, and a pass for each person, in one call.
const { rule } = await issuer.client.createRuleSet(issuer.wallet, {
  name: 'German professionals',
  clauses: [{ regions: ['DE'], statuses: ['institutional', 'professional'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
});
await fundRuleSet(issuer.wallet, { deployment, rule, lamports: 10_000_000n });
for (const { client, wallet, witness } of [issuer, holder]) {
  const { pass } = await client.prove(wallet, { rule, witness });
  console.log('pass', pass);
}

// A Token-2022 mint whose transfers check the rule set. Once it is bound, only this issuer can issue.
const { mint } = await createBindableMint(issuer.wallet, { deployment, decimals: 2 });
await issuer.client.bindMint(issuer.wallet, { mint, rule, requireSource: true });
const accountOf = async (owner: typeof issuer.wallet) =>
  (await createTokenAccount(issuer.wallet, { deployment, mint, owner: owner.address })).tokenAccount;
const [source, destination] = [await accountOf(issuer.wallet), await accountOf(holder.wallet)];
await issuer.client.issue(issuer.wallet, { mint, destination: source, amount: 1_000_00n });
await issuer.client.transfer(issuer.wallet, { mint, source, destination, amount: 250_00n });
console.log('issued 1000.00, transferred 250.00 to', destination);

// A wallet without a pass cannot receive. The transfer fails on chain, and nothing changes.
const withoutPass = await accountOf(await generateKeyPairSigner());
const error = await issuer.client
  .transfer(issuer.wallet, { mint, source, destination: withoutPass, amount: 1n })
  .catch((reason: unknown) => reason);
if (!isServiceError(error, 'OPERATION_FAILED')) throw error;
console.log('rejected on chain:', error.context.programError?.name);
