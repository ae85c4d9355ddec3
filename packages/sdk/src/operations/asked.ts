/**
 * Reads the arguments of a write once, before the first wait, so that what is posted is what is signed. Later changes of the
 * caller's objects change nothing.
 */
import type { Clause, OperationKind, PreparingRequests } from '@service/contract';
import { clauseMasks } from '@service/contract/clause-masks';
import { IDEMPOTENCY_KEY_PATTERN, PASS_AGE_SECONDS } from '@service/contract/limits';
import type { Intent } from '@service/protocol';
import { splitProof } from '@service/protocol/eligibility/proof/proof-with-place';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { checkAddresses, checkCall, checkObject, checkOptions } from '../lib/check-arguments.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { ClauseRequest, ProveFromWitness, ProveRequest, Requests } from './requests.ts';

/** A request in the three forms that a write needs. None shares anything with the caller's object. */
interface ReadRequest<K extends OperationKind> {
  /** A frozen copy for the caller. */
  readonly request: Requests[K];
  /** The body that the service gets. */
  readonly body: PreparingRequests[K];
  /** Returns what a wallet asks for. Throws for a body that the service rejects. */
  readonly intent: (wallet: Address) => Intent;
}

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

/** Reads a request of each kind. Every member is read once. */
const readRequest: {
  readonly [K in OperationKind]: (request: Requests[K]) => ReadRequest<K>;
} = {
  CREATE_RULE_SET: ({
    name,
    nonce = randomNonce(),
    clauses,
    maxPassAgeSeconds,
    powers,
    verifier,
    walletsPerPerson,
  }) => {
    checkPassAge(maxPassAgeSeconds);
    const terms = { powers: powers && copied(powers), verifier, walletsPerPerson };
    const body = { name, nonce, clauses: copied(clauses, copyOfClause), maxPassAgeSeconds, ...terms };
    const request = Object.freeze({
      ...body,
      clauses: frozen(copied(body.clauses, frozenClause)),
      powers: powers && (frozen(copied(body.powers!)) as typeof body.powers),
    });
    const masks = () => request.clauses.map(clauseMasks);
    const intent = (wallet: Address) =>
      ({ kind: 'CREATE_RULE_SET', wallet, ...body, clauses: masks() }) as const;
    return { request, body, intent };
  },
  BIND_MINT: ({ mint, rule, requireSource, honoursGranted, readsCredential }) =>
    plain('BIND_MINT', { mint, rule, requireSource, honoursGranted, readsCredential }),
  PROVE: ({ rule, expiresAt, asOf, proof, replaces }) => {
    if (!ArrayBuffer.isView(proof)) {
      throw invalid('proof', 'the 256 bytes, or 289 with a place, that generateEligibilityProof returns');
    }
    if (!Number.isInteger(asOf) || asOf < 0 || asOf >= 2 ** 17) {
      throw invalid('asOf', 'the date code that the context of the proof has');
    }
    const bytes = Uint8Array.from(proof);
    const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    return {
      request: Object.freeze({ rule, expiresAt, asOf, proof: bytes.slice(), replaces }),
      body: { rule, expiresAt, proof: text, replaces },
      intent: (wallet) => ({ kind: 'PROVE', wallet, rule, expiresAt, asOf, replaces, ...splitProof(bytes) }),
    };
  },
  ISSUE: ({ mint, destination, amount }) => plain('ISSUE', { mint, destination, amount }),
  TRANSFER: ({ mint, source, destination, amount }) =>
    plain('TRANSFER', { mint, source, destination, amount }),
  RECOVER: ({ mint, source, destination, amount, reason }) =>
    plain('RECOVER', { mint, source, destination, amount, reason }),
  REDEEM: ({ mint, source, amount, reason }) => plain('REDEEM', { mint, source, amount, reason }),
  SUSPEND: ({ rule, holder, until }) => plain('SUSPEND', { rule, holder, until }),
  GRANT: ({ rule, holder, expiresAt }) => plain('GRANT', { rule, holder, expiresAt }),
};

/**
 * Copies the fields of a request, which the intent has too. The type asks for each field, so that no optional one is
 * forgotten.
 */
function plain<
  K extends Exclude<OperationKind, 'CREATE_RULE_SET' | 'PROVE'>,
  F extends { readonly [Name in keyof Required<Requests[K]>]: Requests[K][Name] },
>(kind: K, fields: F) {
  const request = Object.freeze({ ...fields });
  return { request, body: { ...fields }, intent: (wallet: Address) => ({ kind, wallet, ...request }) };
}

/** Checks what the program would reject. The request's schema rejects a value that is not a bigint. */
function checkPassAge(seconds: unknown): void {
  if (typeof seconds !== 'bigint') return;
  if (seconds >= PASS_AGE_SECONDS.least && seconds <= PASS_AGE_SECONDS.most) return;
  throw invalid(
    'maxPassAgeSeconds',
    `${PASS_AGE_SECONDS.least} to ${PASS_AGE_SECONDS.most} seconds: one hour to 366 days`,
  );
}

function invalid(field: string, mustBe: string): ServiceError {
  return new ServiceError('INVALID_REQUEST', {
    message: `${field} must be ${mustBe}. Nothing was sent.`,
    context: { field },
  });
}

function randomNonce(): bigint {
  return globalThis.crypto?.getRandomValues(new BigUint64Array(1))[0] as bigint;
}

/** Copies a list. Returns any other value as it is, because the request's schema rejects it by its name. */
function copied<T, U = T>(list: readonly T[], copy: (entry: T) => U = (entry) => entry as never): U[] {
  return Array.isArray(list) ? list.map(copy) : (list as never);
}

/** Freezes a list. Returns any other value as it is: a typed array cannot be frozen. */
function frozen<T>(list: readonly T[]): readonly T[] {
  return Array.isArray(list) ? Object.freeze(list) : list;
}

function copyOfClause(clause: ClauseRequest): Clause {
  const { regions, statuses, minAge } = clause ?? {};
  return { regions: copied(regions), statuses: copied(statuses), minAge };
}

function frozenClause(clause: Clause): Readonly<Clause> {
  const { regions, statuses, minAge } = copyOfClause(clause);
  return Object.freeze({
    regions: frozen(regions) as Clause['regions'],
    statuses: frozen(statuses) as Clause['statuses'],
    minAge,
  });
}
