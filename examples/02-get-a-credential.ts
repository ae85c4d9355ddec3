// Be verified at the verifier's hosted page and receive a credential. Needs `npm start` in another terminal.
import { parseWitnessFragment, ServiceClient } from '@service/sdk';
import { readDeployment } from '@service/testing';
import { generateKeyPairSigner } from '@solana/kit';

const deployment = await readDeployment();
const client = new ServiceClient({ deployment });
const wallet = await generateKeyPairSigner();
await client.authenticate(wallet, deployment.genesisHash);

const session = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
console.log('a browser would now open', session.url);

// What a person does in the browser: fill the sandbox verifier's form in, and be sent back.
const answer = await fetch(session.url, {
  method: 'POST',
  body: new URLSearchParams({ region: 'FR', status: 'professional', birthDate: '1990-05-17' }),
  redirect: 'manual',
});
const back = new URL(answer.headers.get('location') ?? session.url);

// The witness travels in the fragment, which no server sees. In a page: takeWitnessFromLocation().
const witness = parseWitnessFragment(back.hash);
console.log('witness of', witness?.wallet, 'for region', witness?.region);

const credential = await client.waitForCredential();
console.log('credential', credential.address, 'until', new Date(Number(credential.expiresAt) * 1000));
