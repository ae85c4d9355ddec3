/** The credentials that can prove and the circuits that count, for the proof context and for proofs. */
import type { Credential, Verifier } from '@service/contract';
import type { AccountOf, Found } from '@service/protocol';
import { type Option, unwrapOption } from '@solana/kit';
import { ServiceFault } from '../http/failures/fault.ts';

/** The facts that decide it. `chainTime` is in Unix seconds. */
export interface CanProveFacts {
  readonly credential: Pick<Credential, 'expiresAt' | 'revoked' | 'verifier'> | undefined;
  readonly ruleSet: Pick<AccountOf<'ruleSet'>, 'verifier'>;
  /** The verifier of the credential. */
  readonly verifier: Pick<Verifier, 'active'> | undefined;
  readonly chainTime: bigint;
}

/**
 * Rejects a credential that the program would reject too.
 *
 * @throws ServiceFault CREDENTIAL_REQUIRED (missing or revoked), CREDENTIAL_EXPIRED, VERIFIER_INACTIVE,
 *   VERIFIER_NOT_ACCEPTED (SPEC.md section 2)
 */
export function assertCanProve({ credential, ruleSet, verifier, chainTime }: CanProveFacts): void {
  if (!credential) throw new ServiceFault('CREDENTIAL_REQUIRED');
  if (credential.revoked) {
    throw new ServiceFault('CREDENTIAL_REQUIRED', 'The credential of the wallet was revoked. Verify again.');
  }
  if (credential.expiresAt <= chainTime) throw new ServiceFault('CREDENTIAL_EXPIRED');
  if (!verifier?.active) throw new ServiceFault('VERIFIER_INACTIVE');
  const accepted = unwrapOption(ruleSet.verifier);
  if (accepted && accepted !== credential.verifier) {
    throw new ServiceFault(
      'VERIFIER_NOT_ACCEPTED',
      `The rule set accepts only credentials of the verifier ${accepted}. Verify there.`,
    );
  }
}

type Circuit = Found<AccountOf<'circuit'>>;

/** Returns the circuits whose proofs the program accepts at a chain time in Unix seconds, the one that retires last first. */
export function acceptedCircuits(circuits: readonly Circuit[], chainTime: bigint): Circuit[] {
  return circuits
    .filter(({ data }) => !data.unsound && retirement(data.retiredAt) > chainTime)
    .sort((a, b) => Number(retirement(b.data.retiredAt) - retirement(a.data.retiredAt)));
}

/** Returns when a circuit retires: the active one, which has no time, after all others. */
function retirement(retiredAt: Option<bigint>): bigint {
  return unwrapOption(retiredAt) ?? 2n ** 64n;
}
