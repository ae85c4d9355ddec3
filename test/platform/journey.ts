/** What a person does with the SDK: sign in, create a rule set, get verified, and prove. */
import { type Deployment, parseDeployment, ServiceClient, walletFromKeyPair } from '@service/sdk';
import { createSolanaRpc, devnet, generateKeyPair, lamports } from '@solana/kit';
import { getPass } from '../package/consumer/get-pass.ts';

/** Returns the address of the pass. `visit` opens the verifier's page and returns the URL that it redirects to. */
export async function journey(
  published: Deployment,
  visit: (url: string) => Promise<string>,
): Promise<string> {
  const deployment = parseDeployment(published);
  const client = new ServiceClient({ deployment });
  const wallet = await walletFromKeyPair(await generateKeyPair());
  await createSolanaRpc(devnet(deployment.rpcUrl))
    .requestAirdrop(wallet.address, lamports(1_000_000_000n))
    .send();
  await client.authenticate(wallet, deployment.genesisHash);
  return getPass({ client, wallet, visit });
}
