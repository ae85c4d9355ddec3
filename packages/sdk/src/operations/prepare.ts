/** Prepares operations: posts the caller's request, and receives a draft (SPEC.md section 4). */
import type { Operation, OperationKind } from '@service/contract';
import { DRAFT_LIFETIME_SECONDS } from '@service/contract/limits';
import { PREPARING_ROUTES } from '@service/contract/routes/preparing-routes';
import { type ComputeBudget, type Intent, programAddresses } from '@service/protocol';
import type { Address } from '@solana/kit';
import { isServiceError, ServiceError } from '../errors.ts';
import { unexpected } from '../http/transport.ts';
import type { CallOptions } from '../lib/clock.ts';
import { checkFundsToPrepare } from '../rpc/funds.ts';
import { checkSession, orOtherSession, otherSession, sessionWallet } from '../session/session.ts';
import type { AdditionOptions, PriorityFeeOptions } from './additions/addition-options.ts';
import { askedBudget } from './additions/priority-fee.ts';
import type { Asked } from './asked.ts';
import { checkMayPrepare } from './outcome/held.ts';
import { checkNotSent } from './outcome/ledger.ts';
import { type PreparedAs, seal } from './prepared.ts';
import type { ClientState } from './state.ts';

/** Options of `prepare` (SPEC.md section 4). */
export interface PrepareOptions extends CallOptions, PriorityFeeOptions {
  /**
   * 8 to 100 letters, digits, `_` or `-`. The service returns the same operation for the same key, and this client accepts
   * no other. After a crash or a page load, only the service promises that, so a key does not prevent signing twice. Keep
   * the operation's id, and call `waitForOperation`, which never signs. A repeated call must ask for the same thing, so
   * pass a price instead of `'auto'`, and a `nonce` to `createRuleSet`. @default a random UUID, made once per call
   */
  readonly idempotencyKey?: string;
}

/** Prepares an operation of the wallet of the session. See `ServiceClient.prepare`. */
export async function prepare<K extends OperationKind>(
  state: ClientState,
  asked: Asked<K>,
  options: PrepareOptions & AdditionOptions,
): Promise<PreparedAs<K>> {
  const { signal } = options;
  const { kind, request } = asked;
  const wallet = await sessionWallet(state.session, signal);
  const budget = await askedBudget(state, { kind, wallet, request }, options);
  if (asked.payer !== undefined && asked.payer !== wallet) throw otherSession(asked.payer, wallet);
  const key = asked.isOwnKey ? asked.idempotencyKey : undefined;
  await checkMayPrepare(state, { wallet, key }, signal);
  const { operation, askedMs } = await post(state, { asked, wallet, budget }, signal);
  const draft = checkDraft(state, { asked, wallet }, operation);
  // The clocks of device and service may differ, so only the difference of the service's times counts, up to its limit.
  const seconds = Math.min(Number(draft.expiresAt - draft.createdAt), DRAFT_LIFETIME_SECONDS);
  const deadline = askedMs + seconds * 1000;
  // If the caller chose the key, another page may have had the same draft signed.
  state.operations.ledger.draft(draft.operationId, { isPrivate: !asked.isOwnKey, deadline });
  state.operations.snapshot.follow(draft);
  return sealed(state, { asked, wallet, budget }, draft);
}

/** What a wallet asks for. */
interface Wanted<K extends OperationKind = OperationKind> {
  readonly asked: Asked<K>;
  readonly wallet: Address;
  readonly budget: Required<ComputeBudget> | undefined;
}

/** An operation that the service returned. */
interface Posted {
  readonly operation: Operation;
  /** A moment before the request was sent, in milliseconds of `clock.elapsed`. */
  readonly askedMs: number;
}

/**
 * Posts a request. If the service rejects it, checks whether the wallet can pay, because the rejection has no numbers.
 *
 * @throws ServiceError INSUFFICIENT_FUNDS, the codes of the endpoint
 */
async function post(state: ClientState, wanted: Wanted, signal: AbortSignal | undefined): Promise<Posted> {
  const { asked, wallet, budget } = wanted;
  const { kind, body, idempotencyKey } = asked;
  // Making a proof takes seconds, and it is valid for its own wallet only.
  if (kind === 'PROVE') await checkSession(state.session, wallet, signal);
  const posted = budget ? { ...body, computeUnitPrice: budget.price } : body;
  // The service could say that it created an old draft now. So the age of a draft begins here.
  const askedMs = state.chain.clock.elapsed();
  try {
    // The endpoint's schema checks the body.
    const call = { body: posted as never, idempotencyKey, signal };
    const answer = state.session.api.call(PREPARING_ROUTES[kind], call);
    const walletOf = (operation: Operation) => operation.wallet;
    const operation = await orOtherSession(state.session, { wallet, answer, walletOf }, signal);
    return { operation, askedMs };
  } catch (error) {
    if (isServiceError(error, 'INVALID_REQUEST')) await checkCanPay(state, wanted, signal);
    throw error;
  }
}

/** Checks that the caller's own wallet can pay. Throws ServiceError INSUFFICIENT_FUNDS, ABORTED. */
async function checkCanPay(
  { session, chain }: ClientState,
  { asked, wallet, budget }: Wanted,
  signal: AbortSignal | undefined,
): Promise<void> {
  // The service names the wallet of the session, and it could name its own wallet to receive SOL.
  if (wallet !== asked.payer && !session.ownWallets.has(wallet)) return;
  let intent: Intent;
  try {
    intent = asked.intent(wallet);
  } catch {
    // The request's schema rejects it by the name of the field.
    return;
  }
  await checkFundsToPrepare(chain, { intent, budget }, signal);
}

/** A draft of the service. */
type Draft = Extract<Operation, { state: 'DRAFT' }>;

/**
 * Checks that what the service returned is a draft of the requested operation, which nobody has signed.
 *
 * @throws ServiceError UNEXPECTED_RESPONSE, OPERATION_ALREADY_SIGNED, DRAFT_EXPIRED, OUTCOME_UNKNOWN
 */
function checkDraft(
  { session, operations: { ledger } }: ClientState,
  { asked, wallet }: Pick<Wanted, 'asked' | 'wallet'>,
  operation: Operation,
): Draft {
  const { kind, idempotencyKey: key, isOwnKey } = asked;
  const { operationId } = operation;
  if (operation.kind !== kind) throw unexpectedDraft(kind, 'returns an operation of another kind');
  if (operation.wallet !== wallet) {
    session.snapshot.wallet = null;
    throw unexpectedDraft(kind, 'returns an operation of another wallet');
  }
  const first = isOwnKey ? ledger.operationUnder({ wallet, key }, operationId) : operationId;
  if (first !== operationId) {
    // A key belongs to one operation. With a second operation, a caller who repeats a write with its key would sign twice.
    checkNotSent(ledger, first);
    throw unexpectedDraft(kind, 'returns another operation for the same idempotency key');
  }
  if (operation.state !== 'DRAFT') throw replayed(operation, isOwnKey);
  if (!isOwnKey && ledger.wasSent(operationId)) {
    throw unexpectedDraft(kind, 'returns an operation that was already signed for a new request');
  }
  checkNotSent(ledger, operationId);
  return operation;
}

/** Returns the prepared operation. A rule set has its address, which the service must name too. */
async function sealed<K extends OperationKind>(
  { operations, chain }: ClientState,
  { asked, wallet, budget }: Wanted<K>,
  draft: Draft,
): Promise<PreparedAs<K>> {
  const { kind, request } = asked;
  const { operationId, expiresAt, transaction } = draft;
  const intent = asked.intent(wallet);
  const prepared = { operationId, kind, wallet, request, expiresAt };
  const deadline = operations.ledger.deadlineOf(operationId);
  const secret = { operations, operationId, intent, budget, transaction, expiresAt, deadline };
  if (intent.kind !== 'CREATE_RULE_SET') return seal<K>(prepared, secret);
  const rule = await programAddresses(chain.deployment.program).ruleSet(wallet, intent.nonce);
  if (draft.rule !== rule)
    throw unexpectedDraft(kind, `returns the address ${draft.rule}, which must be ${rule}`);
  return seal<K>({ ...prepared, rule }, secret);
}

function unexpectedDraft(kind: OperationKind, does: string): ServiceError {
  return unexpected(`prepare.${PREPARING_ROUTES[kind]}`, does);
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
