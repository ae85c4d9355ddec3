/** The preparing endpoints: the caller's request goes out, a draft comes back (SPEC.md section 4). */
import { IDEMPOTENCY_KEY_PATTERN, type Operation, type OperationKind } from '@service/contract';
import type { Intent } from '@service/protocol';
import type { Address } from '@solana/kit';
import { checkNotSent, type ServiceCore, sessionWallet } from '../client/core.ts';
import { loadChainFor } from '../client/load-chain-chunk.ts';
import { ServiceError } from '../errors.ts';
import { type CallOf, unexpected } from '../http/transport.ts';
import { checkObject } from '../lib/check-arguments.ts';
import type { CallOptions } from '../lib/deadline.ts';
import { type PreparedOperation, type PreparedRuleSet, seal } from './prepared.ts';
import {
  type BindMintRequest,
  type CreateRuleSetRequest,
  type IssueRequest,
  PREPARING_ROUTES,
  type ProveFromProof,
  type Requests,
  readRequest,
  type TransferRequest,
} from './requests.ts';

/**
 * Options of `prepare` (SPEC.md section 4).
 *
 * @inline
 */
export interface PrepareOptions extends CallOptions {
  /**
   * 8 to 100 letters, digits, `_` or `-`. The service returns the same operation for the same key, and this client accepts
   * no other. After a crash or a page load only the service promises that, so a key does not protect from signing twice:
   * keep the operation's id, and call `waitForOperation`, which never signs. @default a random UUID, made once per call
   */
  readonly idempotencyKey?: string;
}

/**
 * Prepares operations for the wallet of the session (SPEC.md section 4). Each throws ServiceError: INVALID_REQUEST before
 * anything is sent, AUTHENTICATION_REQUIRED, the codes of the endpoint (SPEC.md section 7), UNEXPECTED_RESPONSE when the
 * answer is not the operation that was asked for.
 *
 * @inline
 */
export type Prepare = {
  /** A rule set of the wallet; maxPassAgeSeconds in seconds. */
  createRuleSet(request: CreateRuleSetRequest, options?: PrepareOptions): Promise<PreparedRuleSet>;
  /** The binding of a mint to a rule set; from then on only this wallet issues. */
  bindMint(request: BindMintRequest, options?: PrepareOptions): Promise<PreparedOperation<'BIND_MINT'>>;
  /** A pass from a proof; expiresAt in Unix seconds. */
  prove(request: ProveFromProof, options?: PrepareOptions): Promise<PreparedOperation<'PROVE'>>;
  /** New tokens of a bound mint; amount in base units. */
  issue(request: IssueRequest, options?: PrepareOptions): Promise<PreparedOperation<'ISSUE'>>;
  /** A transfer of a bound mint; amount in base units. */
  transfer(request: TransferRequest, options?: PrepareOptions): Promise<PreparedOperation<'TRANSFER'>>;
};

/** The prepare functions of a client. */
export function prepareOf(core: ServiceCore): Prepare {
  return Object.freeze({
    createRuleSet: (request: CreateRuleSetRequest, options?: PrepareOptions) =>
      prepare(core, 'CREATE_RULE_SET', request, options) as Promise<PreparedRuleSet>,
    bindMint: (request: BindMintRequest, options?: PrepareOptions) =>
      prepare(core, 'BIND_MINT', request, options),
    prove: (request: ProveFromProof, options?: PrepareOptions) => prepare(core, 'PROVE', request, options),
    issue: (request: IssueRequest, options?: PrepareOptions) => prepare(core, 'ISSUE', request, options),
    transfer: (request: TransferRequest, options?: PrepareOptions) =>
      prepare(core, 'TRANSFER', request, options),
  });
}

/** Prepares an operation of one kind. */
export async function prepare<K extends OperationKind>(
  core: ServiceCore,
  kind: K,
  asked: Requests[K],
  { signal, idempotencyKey: ownKey }: PrepareOptions = {},
): Promise<PreparedOperation<K>> {
  checkObject('request', asked, 'an object such as { mint, destination, amount }');
  const idempotencyKey = ownKey ?? crypto.randomUUID();
  if (!IDEMPOTENCY_KEY_PATTERN.test(idempotencyKey)) {
    throw new ServiceError('IDEMPOTENCY_KEY_REQUIRED', {
      message: 'idempotencyKey must be 8 to 100 letters, digits, _ or -. Leave it out to have one made.',
      context: {},
    });
  }
  // Before anything is waited for: what the caller does to the object afterwards changes nothing.
  const { request, body, intentOf } = readRequest[kind](asked);
  const wallet = await sessionWallet(core, signal);
  const name = PREPARING_ROUTES[kind];
  const operation = (await core.api.call(name, { body, idempotencyKey, signal } as unknown as CallOf<
    typeof name
  >)) as Operation;
  if (operation.kind !== kind) throw unexpected(`prepare.${name}`, 'answers an operation of another kind');
  if (operation.wallet !== wallet) {
    core.session.wallet = null;
    throw unexpected(`prepare.${name}`, 'answers an operation of another wallet');
  }
  if (ownKey !== undefined) checkKey(core, { wallet, key: ownKey, operationId: operation.operationId, name });
  if (operation.state !== 'DRAFT') throw replayed(operation, ownKey !== undefined);
  if (ownKey === undefined && core.ledger.wasSent(operation.operationId)) {
    throw unexpected(`prepare.${name}`, 'answers an operation that was signed already, to a new request');
  }
  checkNotSent(core, operation.operationId);
  // Under the caller's own key another page may have had the same draft signed.
  core.ledger.draft(operation.operationId, { isPrivate: ownKey === undefined });
  core.store.follow(operation);
  const intent: Intent = intentOf(wallet);
  const { operationId, expiresAt, transaction } = operation;
  const prepared = { operationId, kind, wallet, request, expiresAt };
  const secret = { core, operationId, intent, transaction, expiresAt };
  if (secret.intent.kind !== 'CREATE_RULE_SET') return seal<PreparedOperation<K>>(prepared, secret);
  const rule = await ruleAddress(core, operation, secret.intent.nonce);
  return seal<PreparedOperation<K> & { readonly rule: Address }>({ ...prepared, rule }, secret);
}

/**
 * A key stands for one operation: with a second one, whoever repeats a write under its key would sign twice.
 *
 * @throws ServiceError OPERATION_ALREADY_SIGNED with the first, UNEXPECTED_RESPONSE when that was not signed here
 */
function checkKey(
  core: ServiceCore,
  {
    wallet,
    key,
    operationId,
    name,
  }: Record<'key' | 'operationId' | 'name', string> & {
    readonly wallet: Address;
  },
): void {
  const first = core.ledger.operationUnder({ wallet, key }, operationId);
  if (first === operationId) return;
  checkNotSent(core, first);
  throw unexpected(`prepare.${name}`, 'answers another operation under the same idempotency key');
}

/** The address of a rule set, derived here; what the service says must be the same. */
async function ruleAddress(core: ServiceCore, operation: Operation, nonce: bigint): Promise<Address> {
  const rule = await (await loadChainFor(core)).addresses.ruleSet(operation.wallet, nonce);
  if (operation.rule !== rule) {
    throw unexpected('prepare.createRuleSet', `answers the address ${operation.rule}, which is ${rule}`);
  }
  return rule;
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
      context: {},
    });
  }
  // It may have been signed before a crash, so the service's word that it expired is not enough.
  return new ServiceError('OUTCOME_UNKNOWN', {
    message: `This idempotency key belongs to the operation ${operationId}. The service says that it expired unsigned, which is not proven. Call client.waitForOperation('${operationId}') before you prepare again with another key.`,
    context: { operationId, answer: state },
  });
}
