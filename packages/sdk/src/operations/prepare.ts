/** Prepares operations: posts the caller's request, and receives a draft (SPEC.md section 4). */
import type { Operation, OperationKind } from '@service/contract';
import { IDEMPOTENCY_KEY_PATTERN } from '@service/contract/limits';
import { PREPARING_ROUTES } from '@service/contract/operation';
import type { ComputeBudget, Intent } from '@service/protocol';
import type { Address } from '@solana/kit';
import { checkNotSent, type ServiceCore, sessionWallet } from '../client/core.ts';
import { type LoadedChain, loadChainFor } from '../client/load-chain-chunk.ts';
import { isServiceError, ServiceError } from '../errors.ts';
import { type CallOf, unexpected } from '../http/transport.ts';
import { checkObject, checkOptions } from '../lib/check-arguments.ts';
import type { CallOptions } from '../lib/deadline.ts';
import type { PriorityFeeOptions } from './additions/addition-options.ts';
import { type PreparedOperation, type PreparedRuleSet, type PreparedSecret, seal } from './prepared.ts';
import { readRequest } from './read-request.ts';
import type {
  BindMintRequest,
  CreateRuleSetRequest,
  IssueRequest,
  ProveFromProof,
  Requests,
  TransferRequest,
} from './requests.ts';

/**
 * Options of `prepare` (SPEC.md section 4).
 *
 * @inline
 */
export interface PrepareOptions extends CallOptions, PriorityFeeOptions {
  /**
   * 8 to 100 letters, digits, `_` or `-`. The service returns the same operation for the same key, and this client accepts
   * no other. After a crash or a page load, only the service promises that, so a key does not prevent signing twice. Keep
   * the operation's id, and call `waitForOperation`, which never signs. A repeated call must ask for the same thing, so
   * pass a price instead of `'auto'`, and a `nonce` to `createRuleSet`. @default a random UUID, made once per call
   */
  readonly idempotencyKey?: string;
}

/**
 * Prepares operations for the wallet of the session (SPEC.md section 4). Each throws ServiceError: INVALID_REQUEST before
 * anything is sent, AUTHENTICATION_REQUIRED, the codes of the endpoint (SPEC.md section 7), UNEXPECTED_RESPONSE if the
 * answer is not the requested operation.
 *
 * @inline
 */
export type Prepare = {
  /** Prepares a rule set of the wallet; maxPassAgeSeconds in seconds. */
  createRuleSet(request: CreateRuleSetRequest, options?: PrepareOptions): Promise<PreparedRuleSet>;
  /** Prepares the binding of a mint to a rule set. Once it is final, only this wallet can issue. */
  bindMint(request: BindMintRequest, options?: PrepareOptions): Promise<PreparedOperation<'BIND_MINT'>>;
  /** Prepares a pass from a proof; expiresAt in Unix seconds. */
  prove(request: ProveFromProof, options?: PrepareOptions): Promise<PreparedOperation<'PROVE'>>;
  /** Prepares an issue of new tokens of a bound mint; amount in base units. */
  issue(request: IssueRequest, options?: PrepareOptions): Promise<PreparedOperation<'ISSUE'>>;
  /** Prepares a transfer of a bound mint; amount in base units. */
  transfer(request: TransferRequest, options?: PrepareOptions): Promise<PreparedOperation<'TRANSFER'>>;
};

/** Returns the prepare functions of a client. */
export function prepareOf(core: ServiceCore): Prepare {
  const prepareKind =
    <K extends OperationKind>(kind: K) =>
    async (request: Requests[K], options: PrepareOptions = {}) => {
      checkOptions(options);
      return prepare(core, kind, request, options);
    };
  return Object.freeze({
    createRuleSet: prepareKind('CREATE_RULE_SET') as Prepare['createRuleSet'],
    bindMint: prepareKind('BIND_MINT'),
    prove: prepareKind('PROVE'),
    issue: prepareKind('ISSUE'),
    transfer: prepareKind('TRANSFER'),
  });
}

/** Prepares an operation of one kind. `payer` is the caller's wallet, if the caller named it. */
export async function prepare<K extends OperationKind>(
  core: ServiceCore,
  kind: K,
  asked: Requests[K],
  options: PrepareOptions = {},
  payer?: Address,
): Promise<PreparedOperation<K>> {
  const { signal, idempotencyKey: ownKey } = options;
  checkObject('request', asked, 'an object such as { mint, destination, amount }');
  const idempotencyKey = ownKey ?? crypto.randomUUID();
  if (typeof idempotencyKey !== 'string' || !IDEMPOTENCY_KEY_PATTERN.test(idempotencyKey)) {
    throw new ServiceError('IDEMPOTENCY_KEY_REQUIRED', {
      message: 'idempotencyKey must be 8 to 100 letters, digits, _ or -. Leave it out to get a random one.',
    });
  }
  // Read before the first wait, so that a later change of the caller's object changes nothing.
  const { request, body: asBody, intent } = readRequest[kind](asked);
  const wallet = await sessionWallet(core, signal);
  const chain = await loadChainFor(core);
  const budget = await chain.askedBudget(chain.core, { kind, wallet, request }, options);
  await chain.checkMayPrepare(chain.core, { wallet, key: ownKey }, signal);
  // The service names the wallet of the session, and it could name its own wallet to receive SOL.
  const isOwn = wallet === payer || core.ownWallets.has(wallet);
  const checkFunds = async () =>
    isOwn && checkCanPay(chain, () => ({ kind, wallet, ...intent() }) as unknown as Intent, budget, signal);
  // With the caller's own key, the operation may already be done and paid. Only the service knows.
  if (ownKey === undefined) await checkFunds();
  const body = budget ? { ...(asBody as object), computeUnitPrice: budget.price } : asBody;
  const name = PREPARING_ROUTES[kind];
  const fail = (does: string) => unexpected(`prepare.${name}`, does);
  const call = { body, idempotencyKey, signal } as unknown as CallOf<typeof name>;
  const operation = (await core.api.call(name, call).catch(async (error: unknown) => {
    if (ownKey !== undefined && isServiceError(error, 'INVALID_REQUEST')) await checkFunds();
    throw error;
  })) as Operation;
  const { operationId, expiresAt } = operation;
  if (operation.kind !== kind) throw fail('returns an operation of another kind');
  if (operation.wallet !== wallet) {
    core.session.wallet = null;
    throw fail('returns an operation of another wallet');
  }
  if (ownKey !== undefined) {
    const first = core.ledger.operationUnder({ wallet, key: ownKey }, operationId);
    if (first !== operationId) {
      // A key belongs to one operation. With a second one, a caller who repeats a write under its key would sign twice.
      checkNotSent(core, first);
      throw fail('returns another operation for the same idempotency key');
    }
  }
  if (operation.state !== 'DRAFT') throw replayed(operation, ownKey !== undefined);
  if (ownKey === undefined && core.ledger.wasSent(operationId)) {
    throw fail('returns an operation that was already signed for a new request');
  }
  checkNotSent(core, operationId);
  // Under the caller's own key, another page may have had the same draft signed.
  core.ledger.draft(operationId, { isPrivate: ownKey === undefined });
  core.store.follow(operation);
  const prepared = { operationId, kind, wallet, request, expiresAt };
  const secret: PreparedSecret = {
    core,
    operationId,
    intent: { kind, wallet, ...intent() } as unknown as Intent,
    budget,
    transaction: operation.transaction,
    expiresAt,
  };
  if (secret.intent.kind !== 'CREATE_RULE_SET') return seal<PreparedOperation<K>>(prepared, secret);
  // Derived here; what the service says must be the same.
  const rule = await chain.addresses.ruleSet(wallet, secret.intent.nonce);
  if (operation.rule !== rule) throw fail(`returns the address ${operation.rule}, which must be ${rule}`);
  return seal<PreparedOperation<K> & { readonly rule: Address }>({ ...prepared, rule }, secret);
}

/**
 * Checks that the wallet can pay, before the service does: the service's rejection has no numbers.
 *
 * @throws ServiceError INSUFFICIENT_FUNDS, ABORTED
 */
async function checkCanPay(
  { core, checkFundsToPrepare }: LoadedChain,
  readIntent: () => Intent,
  budget: Required<ComputeBudget> | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  let intent: Intent;
  try {
    intent = readIntent();
  } catch {
    // The request's schema rejects it by the name of the field.
    return;
  }
  await checkFundsToPrepare(core, { intent, budget }, signal);
}

function replayed({ operationId, state }: Operation, isCallersKey: boolean): ServiceError {
  if (state !== 'EXPIRED') {
    return new ServiceError('OPERATION_ALREADY_SIGNED', {
      message: `This idempotency key belongs to the operation ${operationId}, which was signed already. Wait for it with client.waitForOperation('${operationId}').`,
      context: { operationId },
    });
  }
  if (!isCallersKey) {
    return new ServiceError('DRAFT_EXPIRED', {
      message: 'The draft has expired already. Prepare again. Nothing was signed.',
    });
  }
  // It may have been signed before a crash, so the service's word that it expired is not enough.
  return new ServiceError('OUTCOME_UNKNOWN', {
    message: `This idempotency key belongs to the operation ${operationId}. The service reports that it expired unsigned, but nothing proves that. Call client.waitForOperation('${operationId}') before you prepare again with another key.`,
    context: { operationId, answer: state },
  });
}
