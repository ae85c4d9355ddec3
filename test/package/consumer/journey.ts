/** What a dApp does with the installed packages, in Node and in a page: from a new key to a pass. */
import {
  type Deployment,
  isServiceError,
  ServiceClient,
  tokenAccountOf,
  type Wallet,
  walletFromKeyPair,
} from '@service/sdk';
import { createBindableMint } from '@service/sdk/chain';
import { hostileFetch } from '@service/testing';
import { createSolanaRpc, devnet, generateKeyPair, lamports } from '@solana/kit';
import { getPass } from './get-pass.js';

/** The result of a journey. */
export interface Outcome {
  readonly wallet: string;
  readonly pass: string;
  readonly tokenAccount: string;
  /** Whether the client rejected a wrong cluster and a service that tampers, each with the SDK's own error. */
  readonly refused: boolean;
}

/** Signs in, creates a rule set, gets a credential, proves, and creates a mint. `visit` opens the verifier's page and returns the URL that it redirects to. */
export async function journey(
  deployment: Deployment,
  visit: (url: string) => Promise<string>,
): Promise<Outcome> {
  const client = new ServiceClient({ deployment });
  const wallet = await walletFromKeyPair(await generateKeyPair());
  const faucet = createSolanaRpc(devnet(deployment.rpcUrl));
  await faucet.requestAirdrop(wallet.address, lamports(1_000_000_000n)).send();

  const tampered = new ServiceClient({ deployment, fetch: hostileFetch('sign-in-other-origin', fetch) });
  const [ofCluster, ofTampering] = [
    await client.authenticate(wallet, 'another cluster').catch((error: unknown) => error),
    await tampered.authenticate(wallet, deployment.genesisHash).catch((error: unknown) => error),
  ];
  const refused =
    isServiceError(ofCluster, 'GENESIS_HASH_MISMATCH') &&
    ofCluster.context.source === 'argument' &&
    isServiceError(ofTampering, 'CHALLENGE_REFUSED') &&
    ofTampering.context.binding === 'origin';
  await client.authenticate(wallet, deployment.genesisHash);
  if ((await client.session()) !== wallet.address) throw new Error('not signed in');

  const pass = await getPass({ client, wallet, visit });
  const { mint } = await createBindableMint(wallet, { deployment, decimals: 2 });
  const tokenAccount = await tokenAccountOf({ mint, owner: wallet.address });
  await signInWithoutEd25519(client, wallet);
  return { wallet: wallet.address, pass, tokenAccount, refused };
}

/** Signs in on a platform whose WebCrypto has no Ed25519, so that the SDK loads tweetnacl. */
async function signInWithoutEd25519(client: ServiceClient, wallet: Wallet): Promise<void> {
  const { importKey } = crypto.subtle;
  crypto.subtle.importKey = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
  try {
    await client.logout();
    await client.authenticate(wallet, client.deployment.genesisHash);
  } finally {
    crypto.subtle.importKey = importKey;
  }
}
