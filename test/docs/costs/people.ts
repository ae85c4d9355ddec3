/** What people do at the sandbox verifier besides their first verification. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Deployment, parseWitnessFragment, type Witness } from '@service/sdk';
import { fetchCredential } from '@service/sdk/chain';
import type { VerifiedPerson } from '@service/testing';
import type { Address } from '@solana/kit';

/** Milliseconds until a revocation must be on chain, also on a busy machine. */
const REVOKED_MS = 60_000;

/** Verifies a person again. Returns the new witness, and the link that can revoke the new credential. */
export async function verifyAgain(
  { client, credential }: VerifiedPerson,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly witness: Witness; readonly url: string }> {
  const { url } = await client.startVerification({ returnUrl: `${client.deployment.baseUrl}/verified` });
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const witness = parseWitnessFragment(new URL(answer.headers.get('location')!).hash);
  await client.waitForCredential({ issuedAfter: credential.issuedAt });
  return { witness: witness!, url };
}

/** Revokes the credential of a wallet with the link of its verification, and waits until it is revoked on chain. */
export async function revokedBy(url: string, deployment: Deployment, wallet: Address): Promise<void> {
  await fetch(`${url}/revoke`, { method: 'POST' });
  const signal = AbortSignal.timeout(REVOKED_MS);
  while (!(await fetchCredential({ deployment, wallet, signal }))?.revoked) await delay(50, null, { signal });
}
