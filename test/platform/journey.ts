/** What a person does with the SDK: sign in, create a rule set, get verified, and prove. */
import {
  type Deployment,
  disposeProver,
  parseDeployment,
  parseWitnessFragment,
  ServiceClient,
  walletFromKeyPair,
} from '@service/sdk';
import { fundRuleSet } from '@service/sdk/chain';
import { createSolanaRpc, devnet, generateKeyPair, lamports } from '@solana/kit';

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
  const session = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
  const witness = parseWitnessFragment(new URL(await visit(session.url)).hash);
  if (!witness) throw new Error('the verifier returned no witness');
  const { rule } = await client.createRuleSet(wallet, {
    name: 'Swiss investors',
    clauses: [{ regions: ['CH'], statuses: ['accredited'], minAge: 21 }],
    maxPassAgeSeconds: 86_400n,
  });
  await fundRuleSet(wallet, { deployment, rule, lamports: 10_000_000n });
  const { pass } = await client.prove(wallet, { rule, witness });
  await disposeProver();
  return pass;
}
