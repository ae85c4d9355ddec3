/** The writes in one call: prepare, sign, submit, and wait until the caller's RPC shows the end of it. */
import { ERROR_CODES, type ErrorCode, type OperationKind, type OperationState } from '@service/contract';
import type { Address } from '@solana/kit';
import type { ServiceCore } from '../client/core.ts';
import { loadChainFor } from '../client/load-chain-chunk.ts';
import { isServiceError } from '../errors.ts';
import { checkAddresses, checkCall } from '../lib/check-arguments.ts';
import { notify } from '../lib/notify.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { ProofProgress } from '../prover/progress.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type PrepareOptions, prepare } from './prepare.ts';
import type { PreparedOperation } from './prepared.ts';
import type {
  BindMintRequest,
  CreateRuleSetRequest,
  IssueRequest,
  ProveFromProof,
  ProveRequest,
  Requests,
  TransferRequest,
} from './requests.ts';
import type { FinalizedOperation, WaitOptions } from './wait-options.ts';

/** Options of a write (SPEC.md section 4). */
export interface WriteOptions extends PrepareOptions, WaitOptions {
  /** Called with the operation before the wallet is asked to sign it. */
  readonly onPrepared?: (prepared: PreparedOperation) => void;
}

/**
 * A finalized CREATE_RULE_SET, with the rule set's address as this client derived it (SPEC.md section 3).
 *
 * @inline
 */
export type RuleSetCreated = FinalizedOperation & {
  /** Base58 address of the rule set. */
  readonly rule: Address;
};
/**
 * A finalized BIND_MINT, with the binding's address as this client derived it (SPEC.md section 3).
 *
 * @inline
 */
export type MintBound = FinalizedOperation & {
  /** Base58 address of the MintBinding account. */
  readonly binding: Address;
};
/**
 * A finalized PROVE, with the pass's address as this client derived it and its expiry in Unix seconds (SPEC.md section
 * 3).
 *
 * @inline
 */
export type PassOpened = FinalizedOperation & {
  /** Base58 address of the pass. */
  readonly pass: Address;
  /** Unix seconds. */
  readonly passExpiresAt: bigint;
};

/**
 * Options of `prove` (SPEC.md section 4).
 *
 * @inline
 */
export interface ProveOptions extends WriteOptions {
  /** Called as the proof advances. */
  readonly onProgress?: (progress: ProofProgress) => void;
}

/** Creates a rule set. */
export async function createRuleSet(
  core: ServiceCore,
  wallet: Wallet,
  request: CreateRuleSetRequest,
  options: WriteOptions,
): Promise<RuleSetCreated> {
  const { operation, prepared } = await write(core, wallet, 'CREATE_RULE_SET', request, options);
  const { nonce = 0n } = prepared.request;
  const rule = await (await loadChainFor(core)).addresses.ruleSet(prepared.wallet, nonce);
  return { ...operation, rule };
}

/** Binds a mint. */
export async function bindMint(
  core: ServiceCore,
  wallet: Wallet,
  request: BindMintRequest,
  options: WriteOptions,
): Promise<MintBound> {
  const { operation, prepared } = await write(core, wallet, 'BIND_MINT', request, options);
  const binding = await (await loadChainFor(core)).addresses.mintBinding(prepared.request.mint);
  return { ...operation, binding };
}

/** Proves a rule set, from a proof or from the witness. */
export async function prove(
  core: ServiceCore,
  defaultArtifacts: ArtifactSource,
  wallet: Wallet,
  request: ProveRequest,
  options: ProveOptions,
): Promise<PassOpened> {
  checkCall(wallet, request);
  let proof: ProveFromProof;
  if ('proof' in request) {
    proof = request;
    // Under a key of the caller's the pass may be open already: then the service tells of the operation.
    if (options.idempotencyKey === undefined) {
      checkAddresses({ rule: proof.rule });
      const chain = await loadChainFor(core);
      await chain.checkPassOpens(chain.core, proof.rule, options.signal);
    }
  } else {
    checkAddresses({ rule: request.rule });
    const chain = await loadChainFor(core);
    proof = await chain.proofOfWitness(chain.core, defaultArtifacts, request, options);
  }
  const { operation, prepared } = await write(core, wallet, 'PROVE', proof, options);
  const { rule, expiresAt } = prepared.request;
  const pass = await (await loadChainFor(core)).addresses.pass(rule, prepared.wallet);
  return { ...operation, pass, passExpiresAt: expiresAt };
}

/** Issues tokens. */
export async function issue(
  core: ServiceCore,
  wallet: Wallet,
  request: IssueRequest,
  options: WriteOptions,
): Promise<FinalizedOperation> {
  return (await write(core, wallet, 'ISSUE', request, options)).operation;
}

/** Transfers tokens. */
export async function transfer(
  core: ServiceCore,
  wallet: Wallet,
  request: TransferRequest,
  options: WriteOptions,
): Promise<FinalizedOperation> {
  return (await write(core, wallet, 'TRANSFER', request, options)).operation;
}

async function write<K extends OperationKind>(
  core: ServiceCore,
  wallet: Wallet,
  kind: K,
  request: Requests[K],
  options: WriteOptions,
): Promise<{ operation: FinalizedOperation; prepared: PreparedOperation<K> }> {
  checkCall(wallet, request);
  const { signal, onState, timeoutMs } = options;
  const prepared = await prepare(core, kind, request, options);
  options.onPrepared?.(prepared);
  const chain = await loadChainFor(core);
  let last: OperationState | null = null;
  try {
    const submitted = await chain.signAndSubmit(chain.core, wallet, prepared, { signal });
    last = submitted.state;
    notify(() => onState?.(submitted.state, submitted));
  } catch (error) {
    // No answer: the service may have it all the same, and the chain will tell. A refusal is for the caller to see now.
    if (!isServiceError(error, 'OUTCOME_UNKNOWN') || isRefusal(error.context.answer)) throw error;
  }
  const operation = await chain.waitForOperation(chain.core, prepared.operationId, {
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    onState: (state, record) => {
      if (state !== last) onState?.(state, record);
      last = state;
    },
  });
  return { operation, prepared };
}

/** Whether an answer says that the service has read the request and refuses it. */
function isRefusal(answer: string | undefined): boolean {
  return (
    answer !== undefined &&
    Object.hasOwn(ERROR_CODES, answer) &&
    ERROR_CODES[answer as ErrorCode].status < 500
  );
}
