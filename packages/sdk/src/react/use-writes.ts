/** One hook for each write. Each one invalidates what it makes stale, and none repeats a write. */
import type { OperationKind, VerificationSession } from '@service/contract';
import type { Address } from '@solana/kit';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServiceClient } from '../client/service-client.ts';
import type { StartVerificationRequest } from '../eligibility/verification.ts';
import type { ServiceError } from '../errors.ts';
import type {
  BindMintRequest,
  CreateRuleSetRequest,
  GrantRequest,
  IssueRequest,
  RecoverRequest,
  RedeemRequest,
  SuspendRequest,
  TransferRequest,
} from '../operations/requests.ts';
import type { FinalizedOperation } from '../operations/wait-options.ts';
import type { MintBound, PassChanged, RuleSetCreated, WriteOptions } from '../operations/writes.ts';
import {
  bindMintMutationOptions,
  createRuleSetMutationOptions,
  grantMutationOptions,
  issueMutationOptions,
  recoverMutationOptions,
  redeemMutationOptions,
  startVerificationMutationOptions,
  suspendMutationOptions,
  transferMutationOptions,
} from '../query/mutations.ts';
import type { ServiceMutationOptions } from '../query/shapes.ts';
import { invalidateAfter } from '../query/stale-after.ts';
import type { Confirmed } from '../rpc/confirmed-options.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { useServiceClient, useSnapshot } from './provider.ts';
import { type Readiness, usePreparation } from './use-preparation.ts';

/** Starts a verification. Send the person to the `url` of the result (SPEC.md section 4). */
export function useStartVerification(): UseMutationResult<
  VerificationSession,
  ServiceError,
  StartVerificationRequest
> {
  const { wallet } = useSnapshot();
  const client = useServiceClient();
  const queryClient = useQueryClient();
  return useMutation({
    ...startVerificationMutationOptions(client),
    onSettled: () => void invalidateAfter(queryClient, client, 'startVerification', wallet),
  });
}

/**
 * A mutation that can get ready ahead of the click (SPEC.md section 4, prepare rule 3).
 *
 * @example
 * function Send() {
 *   const { prepare, mutate, readiness } = useTransfer(wallet);
 *   const comesNear = () => prepare(request); // it signs nothing, and prepares an equal request once
 *   return <button onFocus={comesNear} onPointerEnter={comesNear} onClick={() => mutate(request)}>
 *     {readiness === 'ready' ? 'Sign' : 'Send'}
 *   </button>;
 * }
 */
export type Write<TData, TVariables> = UseMutationResult<TData, ServiceError, TVariables> & {
  /**
   * Prepares the write, and makes every check that comes before the wallet's prompt. Signs nothing. `mutate` with an equal
   * request then asks the wallet in the same task, which a wallet that opens a window needs. A call with the request that is
   * already prepared does nothing. A call with another one or null discards it, and so do an unmount, a change of the wallet
   * or of an option of the hook, and the end of the session.
   */
  readonly prepare: (request: TVariables | null) => void;
  /** How far the write is that `prepare` gets ready. */
  readonly readiness: Readiness;
  /**
   * Set while your own RPC shows the transaction as confirmed and not yet as final; otherwise null. `useFinalIn` counts it
   * down. It is progress, never a result: the write can still fail.
   */
  readonly confirmed: Confirmed | null;
};

/** Creates a rule set (SPEC.md section 4). */
export function useCreateRuleSet(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): Write<RuleSetCreated, CreateRuleSetRequest> {
  return useWrite('CREATE_RULE_SET', createRuleSetMutationOptions, wallet, options);
}

/** Binds a mint to a rule set (SPEC.md section 4). */
export function useBindMint(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): Write<MintBound, BindMintRequest> {
  return useWrite('BIND_MINT', bindMintMutationOptions, wallet, options);
}

/** Issues tokens of a bound mint; amount in base units (SPEC.md section 4). */
export function useIssue(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): Write<FinalizedOperation, IssueRequest> {
  return useWrite('ISSUE', issueMutationOptions, wallet, options);
}

/**
 * Transfers tokens of a bound mint; amount in base units (SPEC.md section 4).
 *
 * @example
 * function Send() {
 *   const check = useTransferCheck(request);
 *   const transfer = useTransfer(wallet);
 *   return <button disabled={!check.data?.ok} onClick={() => transfer.mutate(request)}>Send</button>;
 * }
 */
export function useTransfer(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): Write<FinalizedOperation, TransferRequest> {
  return useWrite('TRANSFER', transferMutationOptions, wallet, options);
}

/** Moves tokens from one token account to another one as the issuer; amount in base units (SPEC.md section 4). */
export function useRecover(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): Write<FinalizedOperation, RecoverRequest> {
  return useWrite('RECOVER', recoverMutationOptions, wallet, options);
}

/** Takes tokens as the issuer and burns them; amount in base units (SPEC.md section 4). */
export function useRedeem(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): Write<FinalizedOperation, RedeemRequest> {
  return useWrite('REDEEM', redeemMutationOptions, wallet, options);
}

/** Suspends a holder as the creator of the rule set, or lifts the suspension; Unix seconds (SPEC.md section 4). */
export function useSuspend(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): Write<PassChanged, SuspendRequest> {
  return useWrite('SUSPEND', suspendMutationOptions, wallet, options);
}

/** Grants a pass as the creator of the rule set, or ends the grant; Unix seconds (SPEC.md section 4). */
export function useGrant(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): Write<PassChanged, GrantRequest> {
  return useWrite('GRANT', grantMutationOptions, wallet, options);
}

function useWrite<TData, TVariables extends object>(
  kind: OperationKind,
  optionsOf: (
    client: ServiceClient,
    wallet: Wallet | null | undefined,
    options?: WriteOptions,
  ) => ServiceMutationOptions<TData, TVariables>,
  wallet: Wallet | null | undefined,
  given: WriteOptions = {},
): Write<TData, TVariables> {
  const client = useServiceClient();
  const queryClient = useQueryClient();
  const { operations } = useSnapshot();
  /** The operation of the last write. */
  const [operationId, setOperationId] = useState<string>();
  const options: WriteOptions = {
    ...given,
    onPrepared(prepared) {
      setOperationId(prepared.operationId);
      given.onPrepared?.(prepared);
    },
  };
  const write = optionsOf(client, wallet, options);
  const { prepare, readiness, confirm, busy } = usePreparation<TData, TVariables>(
    wallet?.address,
    (request, ahead) => optionsOf(client, wallet, { ...options, ...ahead }).mutationFn(request),
    given,
  );
  const mutation = useMutation({
    ...write,
    mutationFn: (request: TVariables) => busy(() => confirm(request) ?? write.mutationFn(request)),
    // Without a wait: the write is over, even if a read of the service hangs.
    onSettled: (_data, _error, request) => {
      const holder = 'holder' in request ? (request.holder as Address) : undefined;
      void invalidateAfter(queryClient, client, kind, wallet?.address, holder);
    },
  });
  const confirmed = operations.find((each) => each.operationId === operationId)?.confirmed ?? null;
  return { ...mutation, prepare, readiness, confirmed };
}
