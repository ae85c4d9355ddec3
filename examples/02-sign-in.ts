// Sign a wallet in and out. Needs `npm start` in another terminal, which writes deployment.json.
import './help.ts';
import { isServiceError, ServiceClient } from '@service/sdk';
import { readDeployment } from '@service/testing';
import { generateKeyPairSigner } from '@solana/kit';

const deployment = await readDeployment();
const client = new ServiceClient({ deployment });
const wallet = await generateKeyPairSigner();

// The client checks the message before the wallet sees it: origin, wallet, program, cluster, nonce, expiry.
await client.authenticate(wallet, deployment.genesisHash);
console.log('signed in as', await client.session());

// The client rejects the genesis hash of another cluster before the wallet signs anything.
try {
  await client.authenticate(wallet, '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d');
} catch (error) {
  if (!isServiceError(error, 'GENESIS_HASH_MISMATCH')) throw error;
  console.log('rejected:', error.code, error.context.source);
}

await client.logout();
console.log('after logout:', await client.session());
