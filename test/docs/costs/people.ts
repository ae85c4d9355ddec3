/** What people do at the sandbox verifier besides their first verification. */
import { parseWitnessFragment, type Witness } from '@service/sdk';
import { type PersonalData, takeApprovalBack, visitHostedPage } from '@service/test-support';
import type { VerifiedPerson } from '@service/testing';
import { type Address, createSolanaRpcSubscriptions } from '@solana/kit';

/** Verifies a person again. Returns the new witness, and the page where the approval can be taken back. */
export async function verifyAgain(
  { client }: VerifiedPerson,
  form: PersonalData,
): Promise<{ readonly witness: Witness; readonly checkUrl: string }> {
  const { url } = await client.startVerification({ returnUrl: `${client.deployment.baseUrl}/verified` });
  const { location, checkUrl } = await visitHostedPage(url, form);
  const witness = parseWitnessFragment(new URL(location).hash)!;
  await client.waitForCredential({ witness });
  return { witness, checkUrl };
}

/** Lets the provider take an approval back, which revokes the credential, and waits until the chain has finalized the change. */
export async function revokeWith(checkUrl: string, rpcUrl: string, credential: Address): Promise<void> {
  const changed = new AbortController();
  const changes = await createSolanaRpcSubscriptions(rpcUrl.replace(/^http/, 'ws'))
    .accountNotifications(credential, { commitment: 'finalized', encoding: 'base64' })
    .subscribe({ abortSignal: changed.signal });
  // kit drops what arrives before the iteration begins.
  const change = changes[Symbol.asyncIterator]().next();
  await takeApprovalBack(checkUrl);
  await change;
  changed.abort();
}
