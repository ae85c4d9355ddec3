/** Prepared operations. Only this file makes them, so that what is signed is what the caller asked for. */
import type { OperationKind } from '@service/contract';
import type { ComputeBudget, Intent } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { ServiceCore } from '../client/core.ts';
import { ServiceError } from '../errors.ts';
import type { Requests } from './requests.ts';

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
  /** Unix seconds until which the service accepts it. */
  readonly expiresAt: bigint;
}

/**
 * A prepared rule set, with the address that it will have (SPEC.md section 4).
 *
 * @inline
 */
export interface PreparedRuleSet extends PreparedOperation<'CREATE_RULE_SET'> {
  /** The address, derived on this machine. */
  readonly rule: Address;
}

/** The data that signing uses. It is not on the object, so that nobody can change it. */
export interface PreparedSecret {
  readonly core: ServiceCore;
  readonly operationId: string;
  readonly intent: Intent;
  /** The compute budget, if the caller asked for a priority fee. */
  readonly budget: Required<ComputeBudget> | undefined;
  /** The service's unsigned transaction in base64, which is only compared. */
  readonly transaction: string;
  /** Unix seconds. */
  readonly expiresAt: bigint;
}

const secrets = new WeakMap<object, PreparedSecret>();

/** Freezes a prepared operation, and keeps what signing uses. */
export function seal<P extends PreparedOperation>(
  prepared: Omit<P, typeof PREPARED>,
  secret: PreparedSecret,
): P {
  const sealed = Object.freeze(prepared) as P;
  secrets.set(sealed, Object.freeze(secret));
  return sealed;
}

/**
 * Returns what signing uses.
 *
 * @throws ServiceError NOT_PREPARED for an object that this client's prepare did not return
 */
export function unseal(core: ServiceCore, prepared: PreparedOperation): PreparedSecret {
  const secret = typeof prepared === 'object' && prepared !== null ? secrets.get(prepared) : undefined;
  if (secret?.core === core) return secret;
  throw new ServiceError('NOT_PREPARED', {
    message:
      'This object was not returned by prepare of this client. It may be a copy, an edited object or one of another client. Prepare again. Nothing was signed.',
  });
}
