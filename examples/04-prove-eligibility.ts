// Prove a rule set in zero knowledge and get a pass. Needs `npm start` in another terminal.
import { readFile } from 'node:fs/promises';
import {
  buildEligibilityContext,
  generateEligibilityProof,
  latestPassExpiry,
  parseDeployment,
  parseWitnessFragment,
  ServiceClient,
} from '@service/sdk';
import { fundRuleSet } from '@service/sdk/chain';
import { createSolanaRpc, devnet, generateKeyPairSigner, lamports } from '@solana/kit';

const deployment = parseDeployment(JSON.parse(await readFile('deployment.json', 'utf8')));
const client = new ServiceClient({ deployment });
const wallet = await generateKeyPairSigner();
const faucet = createSolanaRpc(devnet(deployment.rpcUrl)); // devnet() only tells the types that there is a faucet
await faucet.requestAirdrop(wallet.address, lamports(1_000_000_000n)).send();
await client.authenticate(wallet, deployment.genesisHash);

// A credential, as in 02.
const session = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
const form = new URLSearchParams({ region: 'CH', status: 'accredited', birthDate: '1985-02-28' });
const answer = await fetch(session.url, { method: 'POST', body: form, redirect: 'manual' });
const witness = parseWitnessFragment(new URL(answer.headers.get('location') ?? session.url).hash);
if (!witness) throw new Error('the verifier sent no witness');
await client.waitForCredential();

// A rule set, as in 03.
const clauses = [{ regions: ['CH', 'LI'], statuses: ['accredited'], minAge: 21 }];
const { rule } = await client.createRuleSet(wallet, {
  name: 'Swiss investors',
  clauses,
  maxPassAgeSeconds: 86_400n,
});
await fundRuleSet(wallet, { deployment, rule, lamports: 10_000_000n });

// The proof is made and verified here; only the proof leaves this machine.
const facts = await client.proofContext({ rule });
const context = buildEligibilityContext(facts.credential, facts.ruleSet, latestPassExpiry(facts));
let shown = '';
const proof = await generateEligibilityProof(context, witness, client.artifacts, {
  onProgress: ({ phase }) => {
    if (phase !== shown) console.log('  ', phase);
    shown = phase;
  },
});
const { pass, passExpiresAt } = await client.prove(wallet, proof);
console.log('pass', pass, 'until', new Date(Number(passExpiresAt) * 1000));
