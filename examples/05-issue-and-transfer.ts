// Bind a mint, issue tokens to a pass holder and transfer them. Needs `npm start` in another terminal.
import { readFile } from 'node:fs/promises';
import {
  disposeProver,
  isServiceError,
  parseWitnessFragment,
  ServiceClient,
  tokenAccountOf,
} from '@service/sdk';
import { createBindableMint, createTokenAccount, fundRuleSet } from '@service/sdk/chain';
import { createSolanaRpc, devnet, generateKeyPairSigner, lamports } from '@solana/kit';

const deployment = JSON.parse(await readFile('deployment.json', 'utf8'));
const client = new ServiceClient({ deployment, baseUrl: deployment.baseUrl });
const issuer = await generateKeyPairSigner();
const stranger = await generateKeyPairSigner();
const faucet = createSolanaRpc(devnet(deployment.rpcUrl));
await faucet.requestAirdrop(issuer.address, lamports(1_000_000_000n)).send();
await client.authenticate(issuer, deployment.genesisHash);

// A credential, as in 02.
const session = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
const form = new URLSearchParams({ region: 'DE', status: 'institutional', birthDate: '1979-11-03' });
const answer = await fetch(session.url, { method: 'POST', body: form, redirect: 'manual' });
const witness = parseWitnessFragment(new URL(answer.headers.get('location') ?? session.url).hash);
if (!witness) throw new Error('the verifier sent no witness');
await client.waitForCredential();

// A rule set with funds, as in 03; a pass in one call.
const clauses = [{ regions: ['DE'], statuses: ['institutional'], minAge: 18 }];
const request = { name: 'German institutions', clauses, maxPassAgeSeconds: 86_400n };
const { rule } = await client.createRuleSet(issuer, request);
await fundRuleSet(issuer, { deployment, rule, lamports: 10_000_000n });
await client.prove(issuer, { rule, witness });

// A Token-2022 mint whose transfers ask the rule set; from the binding on only this issuer can issue.
const { mint } = await createBindableMint(issuer, { deployment, decimals: 2 });
await client.bindMint(issuer, { mint, rule, requireSource: false });
const { tokenAccount: source } = await createTokenAccount(issuer, { deployment, mint });
await client.issue(issuer, { mint, destination: source, amount: 1_000_00n });
console.log('issued 1000.00 to', source);

// A wallet without a pass cannot receive: the chain refuses, and nothing has changed.
await createTokenAccount(issuer, { deployment, mint, owner: stranger.address });
const destination = await tokenAccountOf({ mint, owner: stranger.address });
try {
  await client.transfer(issuer, { mint, source, destination, amount: 1n });
} catch (error) {
  if (!isServiceError(error, 'OPERATION_FAILED')) throw error;
  console.log('refused on chain:', error.context.programError?.name);
}
await disposeProver();
