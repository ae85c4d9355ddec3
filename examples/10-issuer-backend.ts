// An issuer's backend: issue tokens to everybody on a list who has a live pass, from a server with a key file.
// Needs `npm start` in another terminal. Makes issuer-key.json, a key file of the form of solana-keygen.
import './help.ts';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceClient } from '@service/sdk';
import { createBindableMint, createTokenAccount, fetchPass, fundRuleSet } from '@service/sdk/chain';
import { readDeployment, verifiedPerson } from '@service/testing';
import { type Address, createKeyPairSignerFromBytes, createSolanaRpc, devnet, lamports } from '@solana/kit';

const file = 'issuer-key.json';
if (!existsSync(file)) {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const bytes = [d!, x!].flatMap((half) => [...Buffer.from(half, 'base64url')]);
  writeFileSync(file, JSON.stringify(bytes), { mode: 0o600 });
}
const issuer = await createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(readFileSync(file, 'utf8'))));

// A server has no page, so the client needs the base URL of the deployment, and keeps the session cookie itself.
const deployment = await readDeployment();
const client = new ServiceClient({ deployment });
const rpc = createSolanaRpc(devnet(deployment.rpcUrl));
await rpc.requestAirdrop(issuer.address, lamports(1_000_000_000n)).send();
while ((await rpc.getBalance(issuer.address, { commitment: 'finalized' }).send()).value === 0n)
  await delay(200);
await client.authenticate(issuer, deployment.genesisHash);

// Once per token: a funded rule set and a bound mint, as in 06. The issuer needs no pass to issue.
const { rule } = await client.createRuleSet(issuer, {
  name: 'Dutch professionals',
  clauses: [{ regions: ['NL'], statuses: ['professional'], minAge: 18 }],
  maxPassAgeSeconds: 86_400n,
});
await fundRuleSet(issuer, { deployment, rule, lamports: 1_000_000n });
const { mint } = await createBindableMint(issuer, { deployment, decimals: 2 });
await client.bindMint(issuer, { mint, rule, requireSource: false });

// The list, as a database would have it. Only the first of these two people proves the rule set.
const people = [];
for (let count = 0; count < 2; count += 1) people.push(await verifiedPerson(deployment, { region: 'NL' }));
await people[0]!.client.prove(people[0]!.wallet, { rule, witness: people[0]!.witness });

// The backend. A wallet has one operation at a time, so it issues to one holder after the other.
async function issueTo(holder: Address): Promise<string> {
  const pass = await fetchPass({ deployment, rule, wallet: holder });
  if (!pass || pass.secondsLeft === 0n) return 'has no live pass';
  const { tokenAccount: destination } = await createTokenAccount(issuer, { deployment, mint, owner: holder });
  const { signature } = await client.issue(issuer, { mint, destination, amount: 1_000_00n });
  return `got 1000.00 in ${signature}`;
}
for (const { wallet } of people) console.log(wallet.address, await issueTo(wallet.address));
