// Get verified at the verifier's page and receive a credential. Needs `npm start` in another terminal.
import './help.ts';
import { parseWitnessFragment, ServiceClient } from '@service/sdk';
import { readDeployment } from '@service/testing';
import { generateKeyPairSigner } from '@solana/kit';

const deployment = await readDeployment();
const client = new ServiceClient({ deployment });
const wallet = await generateKeyPairSigner();
await client.authenticate(wallet, deployment.genesisHash);

const session = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
console.log('a browser opens', session.url);

// In the browser a person fills in the form of the sandbox verifier, which redirects back.
const answer = await fetch(session.url, {
  method: 'POST',
  body: new URLSearchParams({ region: 'FR', status: 'professional', birthDate: '1990-05-17' }),
  redirect: 'manual',
});
const back = new URL(answer.headers.get('location') ?? session.url);

// The witness is in the URL's fragment, which browsers send to no server. A page calls takeWitnessFromLocation().
const witness = parseWitnessFragment(back.hash);
if (!witness) throw new Error('the verifier returned no witness');
console.log('witness of', witness.wallet, 'for region', witness.region);

const credential = await client.waitForCredential({ witness });
console.log('credential', credential.address, 'until', new Date(Number(credential.expiresAt) * 1000));
