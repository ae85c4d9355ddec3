/**
 * Remembers which records were read from the caller's own RPC. A witness is used only with those: a rule set that a
 * server invents would reveal one bit of the attributes with each attempted proof.
 */
import type { Circuit, Credential, RuleSet, Verifier } from '@service/contract';
import type { ClauseMasks } from '@service/protocol/eligibility/clause';
import type { Deployment } from '../deployment.ts';
import { ServiceError } from '../errors.ts';

/** The records that one proofContext call read from the chain, at one finalized slot. */
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

/** Marks the credential and the rule set as read from the chain, together. Only proofContext calls it. */
export function markVerified(facts: VerifiedFacts): void {
  factsOf.set(facts.credential, facts);
}

/**
 * Returns the facts that were read together with a credential and a rule set.
 *
 * @throws ServiceError RECORD_NOT_VERIFIED unless both are the objects of one proofContext call.
 */
export function verifiedFacts(credential: Credential, ruleSet: RuleSet): VerifiedFacts {
  const facts = factsOf.get(credential);
  if (facts && facts.ruleSet === ruleSet) return facts;
  throw new ServiceError('RECORD_NOT_VERIFIED', {
    message:
      'credential and rule were not returned by one client.proofContext({ rule }) call. Pass its objects unchanged; copies and results of other calls are rejected.',
  });
}
