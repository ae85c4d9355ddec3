/** From a signed-in wallet to a pass. */
import { disposeProver, parseWitnessFragment, type ServiceClient, type Wallet } from '@service/sdk';
import { fundRuleSet } from '@service/sdk/chain';

/** A wallet that is signed in. `visit` opens the verifier's page and returns the URL that it redirects to. */
export interface Visitor {
  readonly client: ServiceClient;
  readonly wallet: Wallet;
  readonly visit: (url: string) => Promise<string>;
}

/** Gets verified, creates a rule set, proves it, and returns the address of the pass. */
export async function getPass({ client, wallet, visit }: Visitor): Promise<string> {
  const { deployment } = client;
  const session = await client.startVerification({ returnUrl: `${deployment.baseUrl}/verified` });
  const witness = parseWitnessFragment(new URL(await visit(session.url)).hash);
  if (!witness) throw new Error('the verifier returned no witness');
  const { rule } = await client.createRuleSet(wallet, {
    name: 'Swiss investors',
    clauses: [{ regions: ['CH'], statuses: ['accredited'], minAge: 21 }],
    maxPassAgeSeconds: 86_400n,
  });
  await fundRuleSet(wallet, { deployment, rule, lamports: 10_000_000n });
  await client.waitForCredential();
  const { pass } = await client.prove(wallet, { rule, witness });
  await disposeProver();
  return pass;
}
