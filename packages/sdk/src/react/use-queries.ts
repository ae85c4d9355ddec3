/** One hook for each query of `@service/sdk/query`. */
import type { NetworkConfiguration, Passport, RuleSet } from '@service/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ServiceError } from '../errors.ts';
import type { ProofCheck } from '../preflight/proof-check-types.ts';
import type { CheckTransferRequest, TransferCheck } from '../preflight/transfer-check-types.ts';
import { networkQueryOptions, type RuleSetsQuery, ruleSetsQueryOptions } from '../query/read-queries.ts';
import type { ServiceQueryOptions } from '../query/shapes.ts';
import {
  type PassQuery,
  type ProofCheckQuery,
  passportQueryOptions,
  passQueryOptions,
  proofCheckQueryOptions,
  transferCheckQueryOptions,
} from '../query/wallet-queries.ts';
import type { PassLife } from '../rpc/pass-life.ts';
import { useProvided, useServiceClient } from './provider.ts';
import { useSignedIn } from './use-session.ts';

/** What a page may change of a query. */
export interface QueryOverrides {
  /** Disables the query if false. @default true when all arguments are set */
  readonly enabled?: boolean | undefined;
  /** Milliseconds between two fetches while the page shows the data. @default none */
  readonly refetchInterval?: number | undefined;
  /** Milliseconds for which the data counts as fresh. */
  readonly staleTime?: number | undefined;
}

/** Returns governance, verifiers, circuit, fees in lamports and chain time (SPEC.md section 4). */
export function useNetwork(overrides?: QueryOverrides): UseQueryResult<NetworkConfiguration, ServiceError> {
  return useService(networkQueryOptions(useServiceClient()), overrides);
}

/** Returns the rule sets (SPEC.md section 4). */
export function useRuleSets(
  options?: RuleSetsQuery & QueryOverrides,
): UseQueryResult<readonly RuleSet[], ServiceError> {
  return useService(ruleSetsQueryOptions(useServiceClient(), options), options);
}

/**
 * Returns the passport of the signed-in wallet. It is disabled until someone is signed in, and empty as soon as the session
 * ends or another wallet signs in (SPEC.md section 4).
 */
export function usePassport(overrides?: QueryOverrides): UseQueryResult<Passport, ServiceError> {
  const { address: wallet } = useSignedIn();
  return useService(passportQueryOptions(useServiceClient(), { wallet }), overrides);
}

/** Returns the pass of any wallet for a rule set, or null, from your own RPC (SPEC.md section 2). */
export function usePass(
  pass: PassQuery,
  overrides?: QueryOverrides,
): UseQueryResult<PassLife | null, ServiceError> {
  return useService(passQueryOptions(useServiceClient(), pass), overrides);
}

/**
 * Returns whether a proof of the signed-in wallet would open a pass now, and what is missing (SPEC.md sections 1 and 7). If
 * the witness does not fit the credential, `useWitness` returns another one that it holds.
 */
export function useProofCheck(
  request: ProofCheckQuery,
  overrides?: QueryOverrides,
): UseQueryResult<ProofCheck, ServiceError> {
  const { address: wallet } = useSignedIn();
  const { client, witnesses } = useProvided();
  const check = useService(proofCheckQueryOptions(client, request, { wallet }), overrides);
  const { data } = check;
  const { witness } = request;
  useEffect(() => {
    if (!witness || witness.wallet !== wallet || data?.ok !== false) return;
    if (data.reasons.some(({ code }) => code === 'WITNESS_INVALID')) witnesses.reject(witness);
  }, [data, witness, wallet, witnesses]);
  return check;
}

/**
 * Returns whether a transfer of the signed-in wallet would pass now, and why not. Amount in base units. It is disabled while
 * the request is null (SPEC.md section 1).
 */
export function useTransferCheck(
  request: CheckTransferRequest | null | undefined,
  overrides?: QueryOverrides,
): UseQueryResult<TransferCheck, ServiceError> {
  const { address: wallet } = useSignedIn();
  return useService(transferCheckQueryOptions(useServiceClient(), request, { wallet }), overrides);
}

function useService<TData>(
  options: ServiceQueryOptions<TData>,
  { enabled = true, refetchInterval, staleTime }: QueryOverrides = {},
): UseQueryResult<TData, ServiceError> {
  return useQuery({
    ...options,
    enabled: options.enabled && enabled,
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
    ...(staleTime === undefined ? {} : { staleTime }),
  });
}
