/** The query of a credential that is on its way: the verifier has sent the person back, and the chain does not have it yet. */
import type { Credential, Verification, Witness } from '@service/contract';
import type { Address } from '@solana/kit';
import type { ServiceClient } from '../client/service-client.ts';
import { loadProver } from '../eligibility/load-prover.ts';
import { attributesOf } from '../eligibility/witness.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { serviceQueryKeys } from './keys.ts';
import { missing } from './missing.ts';
import type { ServiceQueryOptions } from './shapes.ts';
import { type OfWallet, passportQueryOptions } from './wallet-queries.ts';

/**
 * What to wait for.
 *
 * @inline
 */
export interface CredentialQuery extends OfWallet {
  /** The witness that the person came back with. The query then waits for its credential. It is not in the key. */
  readonly witness?: Witness | null | undefined;
  /** Called when a credential has arrived, before the query has it. Invalidate here what the credential makes stale. */
  readonly onArrived?: ((credential: Credential) => Promise<void> | void) | undefined;
}

/** How long to wait if the service says that no credential is under way. Its index can be behind the verification. */
const SETTLED_MS = 10_000;

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
      const isThere = witness ? await isOf(witness, credential) : !mustWait(verification, credential);
      if (isThere) return credential;
      const isSettled = !isCredentialUnderWay(verification);
      const issuedAfter = credential?.issuedAt ?? -1n;
      const arrived = await client
        .waitForCredential({
          issuedAfter,
          ...(isSettled ? { timeoutMs: SETTLED_MS } : {}),
          ...(signal ? { signal } : {}),
        })
        .catch((error: unknown) => {
          if (isSettled && credential && isServiceError(error, 'TIMEOUT')) throw ofEarlier(wallet, error);
          throw error;
        });
      if (witness && !(await isOf(witness, arrived))) throw ofEarlier(wallet);
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

/** Returns whether a credential can still come of a verification. */
export function isCredentialUnderWay(verification: Verification | undefined): boolean {
  return verification?.state === 'STARTED' || verification?.state === 'ISSUING';
}

/** Returns whether a page without a witness must wait. After a failed verification, the wait throws why. */
function mustWait(verification: Verification | undefined, credential: Credential | null): boolean {
  if (verification?.state !== 'FAILED') return verification?.state === 'ISSUING';
  return !credential || credential.revoked || Number(credential.expiresAt) * 1000 <= Date.now();
}

/** Returns whether a witness belongs to a credential. Throws ServiceError WITNESS_INVALID. */
async function isOf(witness: Witness, credential: Credential | null): Promise<boolean> {
  if (!credential) return false;
  // The prover's chunk contains Poseidon.
  const { unmetClauses } = await loadProver();
  const commitment = BigInt(`0x${credential.commitment}`);
  return unmetClauses(attributesOf(witness), { commitment, clauses: [], asOf: 0 }) !== 'unrelated';
}

function ofEarlier(wallet: Address, cause?: unknown): ServiceError {
  return new ServiceError('WITNESS_INVALID', {
    message: `The witness does not belong to the newest credential of ${wallet}. Get verified again.`,
    cause,
  });
}
