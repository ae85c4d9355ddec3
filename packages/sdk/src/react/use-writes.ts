/** One hook for each write. Each one invalidates what it makes stale, and none repeats a write. */
import type { VerificationSession } from '@service/contract';
import type { Address } from '@solana/kit';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ServiceError } from '../errors.ts';
import type {
  BindMintRequest,
  CreateRuleSetRequest,
  IssueRequest,
  TransferRequest,
} from '../operations/requests.ts';
import type { FinalizedOperation } from '../operations/wait-options.ts';
import type { MintBound, RuleSetCreated, WriteOptions } from '../operations/writes.ts';
import {
  bindMintMutationOptions,
  createRuleSetMutationOptions,
  issueMutationOptions,
  type StartVerificationRequest,
  startVerificationMutationOptions,
  transferMutationOptions,
} from '../query/mutations.ts';
import type { ServiceMutationOptions } from '../query/shapes.ts';
import { invalidateAfter, type ServiceWrite } from '../query/stale-after.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { useServiceClient, useSnapshot } from './provider.ts';

/** Starts a verification. Send the person to the `url` of the result (SPEC.md section 4). */
export function useStartVerification(): UseMutationResult<
  VerificationSession,
  ServiceError,
  StartVerificationRequest
> {
  const { wallet } = useSnapshot();
  return useWrite(startVerificationMutationOptions(useServiceClient()), 'startVerification', wallet);
}

/** Creates a rule set (SPEC.md section 4). */
export function useCreateRuleSet(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): UseMutationResult<RuleSetCreated, ServiceError, CreateRuleSetRequest> {
  const write = createRuleSetMutationOptions(useServiceClient(), wallet, options);
  return useWrite(write, 'CREATE_RULE_SET', wallet?.address);
}

/** Binds a mint to a rule set (SPEC.md section 4). */
export function useBindMint(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): UseMutationResult<MintBound, ServiceError, BindMintRequest> {
  return useWrite(bindMintMutationOptions(useServiceClient(), wallet, options), 'BIND_MINT', wallet?.address);
}

/** Issues tokens of a bound mint; amount in base units (SPEC.md section 4). */
export function useIssue(
  wallet: Wallet | null | undefined,
  options?: WriteOptions,
): UseMutationResult<FinalizedOperation, ServiceError, IssueRequest> {
  return useWrite(issueMutationOptions(useServiceClient(), wallet, options), 'ISSUE', wallet?.address);
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
): UseMutationResult<FinalizedOperation, ServiceError, TransferRequest> {
  return useWrite(transferMutationOptions(useServiceClient(), wallet, options), 'TRANSFER', wallet?.address);
}

function useWrite<TData, TVariables>(
  options: ServiceMutationOptions<TData, TVariables>,
  write: ServiceWrite,
  wallet: Address | null | undefined,
): UseMutationResult<TData, ServiceError, TVariables> {
  const client = useServiceClient();
  const queryClient = useQueryClient();
  return useMutation({
    ...options,
    // Without a wait: the write is over, even if a read of the service hangs.
    onSettled: () => void invalidateAfter(queryClient, client, write, wallet),
  });
}
