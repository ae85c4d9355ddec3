/** Waits for the credential of a person who was verified. */
import type { Credential, Witness } from '@service/contract';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isCredentialUnderWay } from '../eligibility/credential-of-witness.ts';
import type { ServiceError } from '../errors.ts';
import { credentialQueryOptions } from '../query/credential-query.ts';
import { invalidateAfter } from '../query/stale-after.ts';
import { useProvided } from './provider.ts';
import { usePassport } from './use-queries.ts';
import { useSignedIn } from './use-session.ts';

/** What {@link useCredential} returns. */
export type CredentialResult = UseQueryResult<Credential | null, ServiceError> & {
  /** Whether the person was verified, and the credential is not on chain yet. This takes some seconds. */
  readonly isOnItsWay: boolean;
};

/**
 * Returns the credential of the signed-in wallet, or null. After a verification it waits for the new credential, to which
 * the witness belongs, and then fetches the passport and the checks of proofs again. Enable `useProofCheck` once the wait is
 * over: before, the check reports CREDENTIAL_REQUIRED or WITNESS_INVALID for a good witness, and `useWitness` returns
 * another one that it holds. That also happens when the wait ends with WITNESS_INVALID (SPEC.md sections 1 and 4).
 *
 * @example
 * const { witness } = useWitness(wallet);
 * const { isOnItsWay, isFetched } = useCredential(witness);
 * const check = useProofCheck({ rule, witness }, { enabled: isFetched });
 */
export function useCredential(witness?: Witness | null): CredentialResult {
  const { client, witnesses } = useProvided();
  const queryClient = useQueryClient();
  const { address: wallet } = useSignedIn();
  const { data: passport } = usePassport();
  const onArrived = () => invalidateAfter(queryClient, client, 'waitForCredential', wallet);
  const result = useQuery(credentialQueryOptions(client, { wallet, witness, onArrived }));
  const code = result.error?.code;
  useEffect(() => {
    // After TIMEOUT, the credential can still come. Then the check finds out whether the witness fits.
    if (witness && code === 'WITNESS_INVALID') witnesses.reject(witness);
  }, [code, witness, witnesses]);
  const canCome = Boolean(witness) || passport?.verification?.state === 'ISSUING';
  const isOnItsWay = result.isLoading && canCome && isCredentialUnderWay(passport?.verification);
  return { ...result, isOnItsWay };
}
