/** Prepared operations. Only this file makes them, so that what is signed is what the caller asked for. */
import type { OperationKind } from '@service/contract';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import type { PreparedIntent } from '../transaction/expected-message.ts';
import type { Requests } from './requests.ts';
import type { Operations } from './state.ts';

declare const PREPARED: unique symbol;

/**
 * An operation that the service has prepared and nobody has signed. Frozen. `signAndSubmit` accepts only the object that
 * `prepare` returned. It signs what the caller asked for, whatever the object or the service says (SPEC.md section 4).
 */
export interface PreparedOperation<K extends OperationKind = OperationKind> {
  /** For the compiler only: an object literal is not a prepared operation. */
  readonly [PREPARED]: true;
  /** UUID of the operation. */
  readonly operationId: string;
  /** The kind of the operation. */
  readonly kind: K;
  /** The wallet that must sign. */
  readonly wallet: Address;
  /** The caller's request. */
  readonly request: Requests[K];
  /** Unix seconds, by the service's clock, until which it accepts the operation. The clock of the device can differ. */
  readonly expiresAt: bigint;
}

/** A prepared rule set, with the address that it will have (SPEC.md section 4). */
export interface PreparedRuleSet extends PreparedOperation<'CREATE_RULE_SET'> {
  /** The address, derived on this machine. */
  readonly rule: Address;
}

/** The prepared operation of a kind. */
export type PreparedAs<K extends OperationKind> = PreparedOperation<K> &
  (K extends 'CREATE_RULE_SET' ? PreparedRuleSet : unknown);

/** The data that signing uses. It is not on the object, so that nobody can change it. */
export interface PreparedSecret extends PreparedIntent {
  /** The operations of the client that prepared it. */
  readonly operations: Operations;
  /** Unix seconds, by the service's clock. */
  readonly expiresAt: bigint;
  /** When this client stops signing it, in milliseconds of its `clock.elapsed`. */
  readonly deadline: number;
}

const secrets = new WeakMap<object, PreparedSecret>();

/** Freezes a prepared operation, and keeps what signing uses. */
export function seal<K extends OperationKind>(
  prepared: Omit<PreparedOperation<K>, typeof PREPARED> & { readonly rule?: Address },
  secret: PreparedSecret,
): PreparedAs<K> {
  const sealed = Object.freeze<object>(prepared) as PreparedAs<K>;
  secrets.set(sealed, Object.freeze(secret));
  return sealed;
}

/**
 * Returns what signing uses.
 *
 * @throws ServiceError NOT_PREPARED for an object that this client's prepare did not return
 */
export function unseal(operations: Operations, prepared: PreparedOperation): PreparedSecret {
  const secret = typeof prepared === 'object' && prepared !== null ? secrets.get(prepared) : undefined;
  if (secret?.operations === operations) return secret;
  throw new ServiceError('NOT_PREPARED', {
    message:
      'This object was not returned by prepare of this client. It may be a copy, an edited object or one of another client. Prepare again. Nothing was signed.',
  });
}
