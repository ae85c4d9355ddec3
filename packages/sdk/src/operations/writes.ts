/** Writes in one call: prepare, sign, submit, and wait until the caller's own RPC shows the outcome. */
import type { ErrorCode, OperationKind, OperationState } from '@service/contract';
import { ERROR_CODES } from '@service/contract/errors';
import { type ProgramAddresses, programAddresses } from '@service/protocol';
import type { Address } from '@solana/kit';
import { isServiceError } from '../errors.ts';
import { addressOf } from '../lib/check-arguments.ts';
import { withDeadline } from '../lib/clock.ts';
import { notify } from '../lib/notify.ts';
import { checkPassOpens } from '../preflight/check-pass-opens.ts';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';
import type { ProofProgress } from '../prover/progress.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { AdditionOptions } from './additions/addition-options.ts';
import { askedBudget } from './additions/priority-fee.ts';
import { type Asked, readWrite } from './asked.ts';
import { checkNotAsked, draftExpired, READY_MS, ready } from './check-before-signing.ts';
import { checkNotSent, type SubmittedOperation } from './outcome/ledger.ts';
import { untilEnded } from './outcome/wait-for-operation.ts';
import { type PrepareOptions, prepare } from './prepare.ts';
import type { PreparedAs, PreparedOperation } from './prepared.ts';
import { proofOfWitness } from './proof-of-witness.ts';
import type { ProveFromWitness } from './requests.ts';
import { signAndSubmit } from './sign-and-submit.ts';
import type { ClientState } from './state.ts';
import type { FinalizedOperation, WaitOptions } from './wait-options.ts';

/** Options of a write (SPEC.md section 4). */
export interface WriteOptions extends PrepareOptions, AdditionOptions, WaitOptions {
  /** Called with the operation before the wallet is asked to sign it. */
  readonly onPrepared?: (prepared: PreparedOperation) => void;
  /**
   * Called when the operation is ready to sign, after all checks. The wallet is asked as soon as the promise resolves, in the
   * same task. So resolve it in the handler of a click: wallets that open a window need one. After 30 seconds the write
   * throws DRAFT_EXPIRED. @default the wallet is asked at once
   */
  readonly onReady?: ((prepared: PreparedOperation) => Promise<void>) | undefined;
}

/** A finalized CREATE_RULE_SET, with the rule set's address as this client derived it (SPEC.md section 3). */
export type RuleSetCreated = FinalizedOperation & {
  /** Base58 address of the rule set. */
  readonly rule: Address;
};
/** A finalized BIND_MINT, with the binding's address as this client derived it (SPEC.md section 3). */
export type MintBound = FinalizedOperation & {
  /** Base58 address of the MintBinding account. */
  readonly binding: Address;
};
/**
 * A finalized PROVE, with the pass's address as this client derived it and its expiry in Unix seconds (SPEC.md section
 * 3).
 */
export type PassOpened = FinalizedOperation & {
  /** Base58 address of the pass. */
  readonly pass: Address;
  /** Unix seconds. */
  readonly passExpiresAt: bigint;
};

/** A finalized SUSPEND or GRANT, with the pass's address as this client derived it (SPEC.md section 3). */
export type PassChanged = FinalizedOperation & {
  /** Base58 address of the pass of the holder. It has no account if a call ended it. */
  readonly pass: Address;
};

/** Options of `prove` (SPEC.md section 4). */
export interface ProveOptions extends WriteOptions {
  /** Called with each step of the proof. */
  readonly onProgress?: (progress: ProofProgress) => void;
}

/** The result of a write of each kind. */
interface WriteResults {
  readonly CREATE_RULE_SET: RuleSetCreated;
  readonly BIND_MINT: MintBound;
  readonly PROVE: PassOpened;
  readonly ISSUE: FinalizedOperation;
  readonly TRANSFER: FinalizedOperation;
  readonly RECOVER: FinalizedOperation;
  readonly REDEEM: FinalizedOperation;
  readonly SUSPEND: PassChanged;
  readonly GRANT: PassChanged;
}

const nothing = async () => ({});
const passOfHolder = async ({ request }: PreparedAs<'SUSPEND' | 'GRANT'>, addresses: ProgramAddresses) => ({
  pass: await addresses.pass(request.rule, request.holder),
});

/** Derives the fields that a result has in addition to the finalized operation. */
const derivedOf: {
  readonly [K in OperationKind]: (
    prepared: PreparedAs<K>,
    addresses: ProgramAddresses,
  ) => Promise<Partial<WriteResults[K]>>;
} = {
  CREATE_RULE_SET: async ({ rule }) => ({ rule }),
  BIND_MINT: async ({ request }, addresses) => ({ binding: await addresses.mintBinding(request.mint) }),
  PROVE: async ({ request: { rule, expiresAt }, wallet }, addresses) => ({
    pass: await addresses.pass(rule, wallet),
    passExpiresAt: expiresAt,
  }),
  ISSUE: nothing,
  TRANSFER: nothing,
  RECOVER: nothing,
  REDEEM: nothing,
  SUSPEND: passOfHolder,
  GRANT: passOfHolder,
};

/** Proves a rule set, from a proof or from the witness. See `ServiceClient.prove`. */
export async function prove(
  state: ClientState,
  defaultArtifacts: ArtifactSource,
  wallet: Wallet,
  asked: Asked<'PROVE'> | ProveFromWitness,
  options: ProveOptions,
): Promise<PassOpened> {
  if ('kind' in asked) {
    // If the caller chose the key, the pass may be open already. Then the service returns the operation that opened it.
    if (!asked.isOwnKey) await checkPassOpens(state, asked.request.rule, options.signal);
    return write(state, wallet, asked, options);
  }
  const payer = addressOf(wallet) as Address;
  const operation = { kind: 'PROVE', wallet: payer, request: { rule: asked.rule } } as const;
  const budget = await askedBudget(state, operation, options);
  const proof = await proofOfWitness(state, defaultArtifacts, asked, { ...options, payer, budget });
  // Pay the price that was checked: 'auto' may give another one after the proof.
  const paid = { ...options, priorityFee: budget?.price };
  const { replaces } = asked;
  return write(state, wallet, readWrite('PROVE', wallet, { ...proof, replaces }, paid), paid);
}

/** Prepares an operation, has the wallet sign it, submits it, and waits until it is final. */
export async function write<K extends OperationKind>(
  state: ClientState,
  wallet: Wallet,
  asked: Asked<K>,
  options: WriteOptions,
): Promise<WriteResults[K]> {
  const { signal, onState, onConfirmed, timeoutMs } = options;
  const prepared = await prepare(state, asked, options);
  options.onPrepared?.(prepared);
  if (options.onReady) await untilConfirmed(state, prepared, options.onReady, signal);
  let last: OperationState | null = null;
  let submitted: SubmittedOperation | null = null;
  try {
    const accepted = await signAndSubmit(state, wallet, prepared, options);
    submitted = accepted;
    last = accepted.state;
    notify(() => onState?.(accepted.state, accepted));
  } catch (error) {
    // Without an answer the service may still have it, and the chain shows the outcome. A rejection goes to the caller.
    if (!isServiceError(error, 'OUTCOME_UNKNOWN') || isRejection(error.context.answer)) throw error;
  }
  const operation = await untilEnded(state, prepared.operationId, {
    signal,
    submitted,
    onConfirmed,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    onState: (named, record) => {
      if (named !== last) onState?.(named, record);
      last = named;
    },
  });
  const addresses = programAddresses(state.chain.deployment.program);
  return { ...operation, ...(await derivedOf[asked.kind](prepared, addresses)) } as WriteResults[K];
}

/** Gets an operation ready, and waits until the person wants to sign it. Throws what `ServiceClient.ready` throws. */
async function untilConfirmed(
  state: ClientState,
  prepared: PreparedOperation,
  onReady: (prepared: PreparedOperation) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { clock } = state.chain;
  const until = clock.elapsed() + READY_MS;
  await ready(state, prepared, { signal });
  // The 30 seconds begin before the checks, which take long on a slow RPC.
  const bounds = { clock, signal, timeoutMs: until - clock.elapsed(), what: 'onReady' };
  await withDeadline(bounds, () => onReady(prepared)).catch((error: unknown) => {
    if (!isServiceError(error, 'TIMEOUT')) throw error;
    const { ledger } = state.operations;
    // onReady may have asked the wallet to sign it. A second operation would then do the same twice.
    checkNotSent(ledger, prepared.operationId);
    checkNotAsked(ledger, prepared.operationId);
    ledger.expire(prepared.operationId);
    throw draftExpired();
  });
}

/** Returns whether an answer of the service means that it read the request and rejected it. */
function isRejection(answer: string | undefined): boolean {
  return (
    answer !== undefined &&
    Object.hasOwn(ERROR_CODES, answer) &&
    ERROR_CODES[answer as ErrorCode].status < 500
  );
}
