// From nothing to a transfer. Needs `npm start` in another terminal, which writes deployment.json.
import { readFile } from 'node:fs/promises';
import { parseDeployment, parseWitnessFragment, ServiceClient } from '@service/sdk';
import { createBindableMint, createTokenAccount, fundRuleSet } from '@service/sdk/chain';
import { createSolanaRpc, devnet, generateKeyPairSigner, lamports } from '@solana/kit';

const deployment = parseDeployment(JSON.parse(await readFile('deployment.json', 'utf8')));

// Each has a wallet, signs in and is verified. In a dApp the person brings the wallet, and fills the verifier's form in.
async function person() {
  const [client, wallet] = [new ServiceClient({ deployment }), await generateKeyPairSigner()];
  const faucet = createSolanaRpc(devnet(deployment.rpcUrl));
  await faucet.requestAirdrop(wallet.address, lamports(1_000_000_000n)).send();
  await client.authenticate(wallet, deployment.genesisHash);
  const { url } = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
  const form = new URLSearchParams({ region: 'FR', status: 'professional', birthDate: '1990-05-17' });
  const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  await client.waitForCredential();
  return { client, wallet, witness: parseWitnessFragment(new URL(answer.headers.get('location')!).hash)! };
}
const [issuer, holder] = await Promise.all([person(), person()]);

// The issuer's rule set, and the fees of its passes; then a pass for each, proved in zero knowledge on this machine.
const clauses = [{ regions: ['FR'], statuses: ['professional'], minAge: 18 }];
const rules = { name: 'French professionals', clauses, maxPassAgeSeconds: 86_400n };
const { rule } = await issuer.client.createRuleSet(issuer.wallet, rules);
await fundRuleSet(issuer.wallet, { deployment, rule, lamports: 10_000_000n });
for (const { client, wallet, witness } of [issuer, holder]) await client.prove(wallet, { rule, witness });

// A mint whose tokens move between holders of live passes only. Amounts are in base units: 250_00n is 250.00.
const { mint } = await createBindableMint(issuer.wallet, { deployment, decimals: 2 });
await issuer.client.bindMint(issuer.wallet, { mint, rule, requireSource: true });
const { tokenAccount: source } = await createTokenAccount(issuer.wallet, { deployment, mint });
const { tokenAccount: destination } = await createTokenAccount(holder.wallet, { deployment, mint });
await issuer.client.issue(issuer.wallet, { mint, destination: source, amount: 1_000_00n });
await issuer.client.transfer(issuer.wallet, { mint, source, destination, amount: 250_00n });
console.log('transferred 250.00 to', destination);
