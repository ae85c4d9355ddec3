/** The query of a credential that is on its way: the verifier has sent the person back, and the chain does not have it yet. */
import type { Credential, Passport, Witness } from '@service/contract';
import type { ServiceClient } from '../client/service-client.ts';
import { isCredentialOf } from '../eligibility/credential-of-witness.ts';
import { serviceQueryKeys } from './keys.ts';
import { missing } from './missing.ts';
import type { ServiceQueryOptions } from './shapes.ts';
import { passportQueryOptions, type WalletQuery } from './wallet-queries.ts';

/**
 * What to wait for.
 *
 * @inline
 */
export interface CredentialQuery extends WalletQuery {
  /** The witness that the person came back with. The query then waits for its credential. It is not in the key. */
  readonly witness?: Witness | null | undefined;
  /** Called when a credential has arrived, before the query has it. Invalidate here what the credential makes stale. */
  readonly onArrived?: ((credential: Credential) => Promise<void> | void) | undefined;
}

/**
 * Queries the credential of the signed-in wallet; null if it has none and none is on its way. With the witness, waits up to
 * two minutes for the credential that the witness belongs to: after a second verification that is not the one that the
 * wallet already has. So a page needs to store nothing before the person leaves (SPEC.md sections 1 and 4).
 *
 * The `queryFn` throws VERIFICATION_FAILED, TIMEOUT, and WITNESS_INVALID if the witness belongs to an earlier credential.
 * Without a witness, it throws VERIFICATION_FAILED only while the wallet has no credential that can be used.
 *
 * @example
 * const { data: credential, isLoading } = useQuery(credentialQueryOptions(client, {
 *   wallet: wallet.address,
 *   witness,
 *   onArrived: () => invalidateAfter(queryClient, client, 'waitForCredential', wallet.address),
 * }));
 */
export function credentialQueryOptions(
  client: ServiceClient,
  { wallet, witness: given, onArrived }: CredentialQuery,
): ServiceQueryOptions<Credential | null> {
  const witness = given?.wallet === wallet ? given : null;
  return {
    queryKey: serviceQueryKeys(client).credential(wallet, witness),
    queryFn: async ({ signal }) => {
      if (!wallet) throw missing('wallet', 'Sign in first, then pass the address of the wallet.');
      const { credential, verification } = await passportQueryOptions(client, { wallet }).queryFn({
        signal,
      });
      const isThere = witness
        ? await isCredentialOf(witness, credential, signal)
        : !(await mustWait(client, { verification, credential }, signal));
      if (isThere) return credential;
      const which = witness ? { witness } : { issuedAfter: credential?.issuedAt ?? -1n };
      const arrived = await client.waitForCredential({ ...which, signal });
      await onArrived?.(arrived);
      return arrived;
    },
    // The wait is long enough, and a page should show why it ended.
    retry: () => false,
    staleTime: 10_000,
    enabled: Boolean(wallet),
    meta: { personal: true },
  };
}

/**
 * Returns whether a page without a witness must wait. After a failed verification, the wait throws why. A credential ends by
 * the chain's time, because the clock of the device can be wrong.
 */
async function mustWait(
  client: ServiceClient,
  { verification, credential }: Pick<Passport, 'verification' | 'credential'>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (verification?.state !== 'FAILED') return verification?.state === 'ISSUING';
  if (!credential || credential.revoked) return true;
  return credential.expiresAt <= (await client.network({ signal })).chainTime;
}
