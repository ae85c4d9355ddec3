// Get verified at the verifier's page and receive a credential. Needs `npm start` in another terminal.
import './help.ts';
import { ServiceClient } from '@service/sdk';
import { readDeployment, visitSandbox } from '@service/testing';
import { generateKeyPairSigner } from '@solana/kit';

const deployment = await readDeployment();
const client = new ServiceClient({ deployment });
const wallet = await generateKeyPairSigner();
await client.authenticate(wallet, deployment.genesisHash);

const session = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
console.log('a browser opens', session.url);

// In the browser a person agrees to the wallet, and fills in the form of the sandbox verifier, which redirects back. The witness
// is in the URL's fragment, which browsers send to no server. A page calls takeWitnessFromLocation().
const answers = { region: 'FR', status: 'professional', birthDate: '1990-05-17' } as const;
const { witness } = await visitSandbox(session.url, answers);
console.log('witness of', witness.wallet, 'for region', witness.region);

const credential = await client.waitForCredential({ witness });
console.log('credential', credential.address, 'until', new Date(Number(credential.expiresAt) * 1000));
