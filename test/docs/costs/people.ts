/** What people do at the sandbox verifier besides their first verification. */
import { parseWitnessFragment, type Witness } from '@service/sdk';
import { type PersonalData, passHostedPage } from '@service/test-support';
import type { VerifiedPerson } from '@service/testing';
import { type Address, createSolanaRpcSubscriptions } from '@solana/kit';

/** Verifies a person again. Returns the new witness, and the link that can revoke the new credential. */
export async function verifyAgain(
  { client }: VerifiedPerson,
  form: PersonalData,
): Promise<{ readonly witness: Witness; readonly url: string }> {
  const { url } = await client.startVerification({ returnUrl: `${client.deployment.baseUrl}/verified` });
  const witness = parseWitnessFragment(new URL(await passHostedPage(url, form)).hash)!;
  await client.waitForCredential({ witness });
  return { witness, url };
}

/** Revokes a credential with the link of its verification, and waits until the chain has finalized the change. */
export async function revokeWith(url: string, rpcUrl: string, credential: Address): Promise<void> {
  const changed = new AbortController();
  const changes = await createSolanaRpcSubscriptions(rpcUrl.replace(/^http/, 'ws'))
    .accountNotifications(credential, { commitment: 'finalized', encoding: 'base64' })
    .subscribe({ abortSignal: changed.signal });
  // kit drops what arrives before the iteration begins.
  const change = changes[Symbol.asyncIterator]().next();
  const { ok } = await fetch(`${url}/revoke`, { method: 'POST' });
  if (!ok) throw new Error('The sandbox verifier did not revoke the credential.');
  await change;
  changed.abort();
}
