/** Reads the arguments of a write before the first wait. Later changes of the caller's objects change nothing. */
import type { OperationKind } from '@service/contract';
import { IDEMPOTENCY_KEY_PATTERN } from '@service/contract/limits';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { checkAddresses, checkCall, checkObject, checkOptions } from '../lib/check-arguments.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { type ReadRequest, readRequest } from './read-request.ts';
import type { ProveFromWitness, ProveRequest, Requests } from './requests.ts';

/** An operation that a caller asked for. */
export interface Asked<K extends OperationKind> extends ReadRequest<K> {
  readonly kind: K;
  readonly idempotencyKey: string;
  /** Whether the caller chose the key. Then another page may use it too. */
  readonly isOwnKey: boolean;
  /** The caller's wallet, if the caller named it. */
  readonly payer?: Address;
}

/**
 * Reads what a caller asks for.
 *
 * @throws ServiceError INVALID_ARGUMENT, INVALID_REQUEST, IDEMPOTENCY_KEY_REQUIRED
 */
export function readAsked<K extends OperationKind>(
  kind: K,
  request: Requests[K],
  options: { readonly idempotencyKey?: string },
): Asked<K> {
  checkOptions(options);
  checkObject('request', request, 'an object such as { mint, destination, amount }');
  const isOwnKey = options.idempotencyKey !== undefined;
  // A page without https has no randomUUID. The call throws UNSUPPORTED_PLATFORM before it uses the key.
  const { idempotencyKey = globalThis.crypto?.randomUUID?.() } = options;
  if (isOwnKey && (typeof idempotencyKey !== 'string' || !IDEMPOTENCY_KEY_PATTERN.test(idempotencyKey))) {
    throw new ServiceError('IDEMPOTENCY_KEY_REQUIRED', {
      message: 'idempotencyKey must be 8 to 100 letters, digits, _ or -. Leave it out to get a random one.',
    });
  }
  return { kind, ...readRequest[kind](request), idempotencyKey, isOwnKey };
}

/** Reads what a caller asks for with a wallet. Throws what {@link readAsked} throws. */
export function readWrite<K extends OperationKind>(
  kind: K,
  wallet: Wallet,
  request: Requests[K],
  options: { readonly idempotencyKey?: string },
): Asked<K> {
  const payer = checkCall(wallet, request);
  return { ...readAsked(kind, request, options), payer };
}

/** Reads a request to prove, with a proof or from the witness. Throws what {@link readAsked} throws. */
export function readProve(
  wallet: Wallet,
  request: ProveRequest,
  options: { readonly idempotencyKey?: string },
): Asked<'PROVE'> | ProveFromWitness {
  checkCall(wallet, request);
  checkOptions(options);
  const { rule } = request;
  if ('proof' in request) {
    // If the caller chose the key, the service checks the rule set.
    if (options.idempotencyKey === undefined) checkAddresses({ rule, ...replacedOf(request) });
    return readWrite('PROVE', wallet, request, options);
  }
  checkAddresses({ rule, ...replacedOf(request) });
  const { witness, expiresAt, replaces, artifacts } = request;
  return { rule, witness, expiresAt, replaces, artifacts };
}

/** Returns the wallet to replace, to check its address, if there is one. */
const replacedOf = ({ replaces }: ProveRequest) => (replaces === undefined ? {} : { replaces });
