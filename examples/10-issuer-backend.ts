// An issuer's backend: issue tokens to everybody on a list who has a live pass, from a server with a key in a file.
// Needs `npm start` in another terminal. Issues to the addresses that you pass, such as an account of your own page:
//   npx tsx examples/10-issuer-backend.ts ADDRESS
// Without an address, it issues to two invented people. Run it again after a failure: issuer-backend.json keeps its state.
import './help.ts';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceClient } from '@service/sdk';
import * as chain from '@service/sdk/chain';
import { readDeployment, verifiedPerson } from '@service/testing';
import * as kit from '@solana/kit';

const file = 'issuer-backend.json';
const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { key: [...randomBytes(32)] };
const keep = (more = {}) => writeFileSync(file, JSON.stringify(Object.assign(kept, more)), { mode: 0o600 });
keep();
const issuer = await kit.createKeyPairSignerFromPrivateKeyBytes(Uint8Array.from(kept.key));
// A server has no page, so the client needs the base URL of the deployment, and keeps the session cookie itself.
const deployment = await readDeployment();
const client = new ServiceClient({ deployment });
const rpc = kit.createSolanaRpc(kit.devnet(deployment.rpcUrl));
await rpc.requestAirdrop(issuer.address, kit.lamports(1_000_000_000n)).send();
while ((await rpc.getBalance(issuer.address, { commitment: 'finalized' }).send()).value === 0n)
  await delay(200);
await client.authenticate(issuer, deployment.genesisHash);
// Once per token and cluster: a funded rule set and a bound mint, as in 06. The issuer needs no pass to issue.
if (kept.genesisHash !== deployment.genesisHash)
  keep({ genesisHash: deployment.genesisHash, rule: null, mint: null });
const clauses = [{ regions: ['NL'], statuses: ['professional'], minAge: 18 }] as const;
const request = { name: 'Dutch professionals', clauses, maxPassAgeSeconds: 86_400n };
if (!kept.rule) keep({ rule: (await client.createRuleSet(issuer, request)).rule });
if (!kept.mint) keep({ mint: (await chain.createBindableMint(issuer, { deployment, decimals: 2 })).mint });
const { rule, mint } = kept;
const { passFunds } = (await chain.fetchRuleSet({ deployment, rule }))!;
if (passFunds === 0n) await chain.fundRuleSet(issuer, { deployment, rule, lamports: 1_000_000n });
if (!(await chain.fetchBinding({ deployment, mint })))
  await client.bindMint(issuer, { mint, rule, requireSource: false });
console.log(`VITE_RULE=${rule}\nVITE_MINT=${mint}`); // for .env.local of a page

// The list, as a database would have it. Only the first of the two invented people proves the rule set.
const list = process.argv.slice(2).map((text) => kit.address(text));
for (const proves of list.length === 0 ? [true, false] : []) {
  const { client, wallet, witness } = await verifiedPerson(deployment, { region: 'NL' });
  if (proves) await client.prove(wallet, { rule, witness });
  console.log(wallet.address, 'is an invented person with', proves ? 'a pass' : 'no pass, who gets nothing');
  list.push(wallet.address);
}

// The backend. A wallet has one operation at a time, so it issues to one holder after the other.
for (const holder of list) {
  const pass = await chain.fetchPass({ deployment, rule, wallet: holder });
  if (pass && pass.secondsLeft > 0n) {
    const account = await chain.createTokenAccount(issuer, { deployment, mint, owner: holder });
    const request = { mint, destination: account.tokenAccount, amount: 1_000_00n };
    console.log(holder, 'got 1000.00 in', (await client.issue(issuer, request)).signature);
  } else console.log(holder, 'has no live pass. Prove this rule set, then run this again:', rule);
}
