/**
 * Records that were read from the caller's own RPC. Only those may meet a witness: a rule set that a server made up
 * would tell it one attribute bit per proof that it sees attempted.
 */
import type { Circuit, Credential, RuleSet, Verifier } from '@service/contract';
import type { ClauseMasks } from '@service/protocol/eligibility/clause';
import type { Deployment } from '../deployment.ts';
import { ServiceError } from '../errors.ts';

/** Everything that one proofContext read from the chain, at one finalized slot. */
export interface VerifiedFacts {
  readonly deployment: Deployment;
  readonly credential: Credential;
  readonly ruleSet: RuleSet;
  /** The clauses as the chain stores them, bits without a name included. */
  readonly clauses: readonly ClauseMasks[];
  readonly verifier: Verifier;
  readonly circuit: Circuit;
  /** Unix seconds. */
  readonly chainTime: bigint;
}

const factsOf = new WeakMap<Credential, VerifiedFacts>();

/** Marks the credential and the rule set as read from the chain, together. Called by proofContext alone. */
export function markVerified(facts: VerifiedFacts): void {
  factsOf.set(facts.credential, facts);
}

/**
 * The facts that a credential and a rule set were read with.
 *
 * @throws ServiceError RECORD_NOT_VERIFIED unless both are the very objects of one proofContext.
 */
export function verifiedFacts(credential: Credential, ruleSet: RuleSet): VerifiedFacts {
  const facts = factsOf.get(credential);
  if (facts && facts.ruleSet === ruleSet) return facts;
  throw new ServiceError('RECORD_NOT_VERIFIED', {
    message:
      'credential and rule must be the very objects of one client.proofContext({ rule }), which reads them from your own RPC. Copies and answers of other calls are not taken.',
    context: {},
  });
}
