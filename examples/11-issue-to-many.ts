// Issue tokens to a list of 1,000 rows, in a way that survives a crash at any moment: kill it, and run it again.
// Needs `npm start` in another terminal. Each row goes to one of ten people who proved the rule set. A list with 1,000
// people takes as long. List and ledger stay in the folder issue-many. Takes the number of rows:
//   npx tsx examples/11-issue-to-many.ts 1000
import './help.ts';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceClient } from '@service/sdk';
import * as chain from '@service/sdk/chain';
import { fileLedger } from '@service/sdk/node';
import { readDeployment, verifiedPerson } from '@service/testing';
import * as kit from '@solana/kit';

const count = Number(process.argv[2] ?? 1_000);
const deployment = await readDeployment();
const folder = `issue-many/${deployment.genesisHash}-${count}`;
const file = `${folder}/list.json`;
if (!existsSync(file)) await makeList();
const { key, mint, rows } = JSON.parse(readFileSync(file, 'utf8'));
const issuer = await kit.createKeyPairSignerFromPrivateKeyBytes(Uint8Array.from(key));

// A backend needs only this: the same rows and the same ledger, however often it runs.
const started = Date.now();
const ledger = fileLedger(`${folder}/ledger.jsonl`);
const onProgress = (progress: chain.IssueProgress) => console.log(progress);
// Ten people get all rows, so destinations repeat.
const options = { deployment, mint, rows, ledger, onProgress, mayRepeat: true, inFlight: 16 };
const report = await chain.issueMany(issuer, options);
console.log(report.issued, 'rows issued in', Math.round((Date.now() - started) / 1000), 'seconds');
for (const row of report.rows) if (row.state === 'rejected') console.log(row.id, 'rejected:', row.reasons);

/** Creates an issuer, a bound mint, ten people with a pass and a token account, and a list. */
async function makeList(): Promise<void> {
  const key = [...randomBytes(32)];
  const issuer = await kit.createKeyPairSignerFromPrivateKeyBytes(Uint8Array.from(key));
  const rpc = kit.createSolanaRpc(kit.devnet(deployment.rpcUrl));
  await rpc.requestAirdrop(issuer.address, kit.lamports(1_000_000_000n)).send();
  while (!(await rpc.getBalance(issuer.address, { commitment: 'finalized' }).send()).value) await delay(200);
  const client = new ServiceClient({ deployment });
  await client.authenticate(issuer, deployment.genesisHash);
  const clauses = [{ regions: ['NL'], statuses: ['professional'], minAge: 18 }] as const;
  const request = { name: 'Dutch professionals', clauses, maxPassAgeSeconds: 86_400n };
  const { rule } = await client.createRuleSet(issuer, request);
  await chain.fundRuleSet(issuer, { deployment, rule, lamports: 10_000_000n });
  const { mint } = await chain.createBindableMint(issuer, { deployment, decimals: 2 });
  await client.bindMint(issuer, { mint, rule, requireSource: false });
  const person = async () => {
    const { client, wallet, witness } = await verifiedPerson(deployment, { region: 'NL' });
    await client.prove(wallet, { rule, witness });
    return (await chain.createTokenAccount(wallet, { deployment, mint })).tokenAccount;
  };
  const holders = await Promise.all(Array.from({ length: 10 }, person));
  const rowOf = (_: unknown, index: number) => ({ destination: holders[index % 10], amount: '100' });
  const rows = Array.from({ length: count }, rowOf);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ key, mint, rows }), { mode: 0o600 });
}
