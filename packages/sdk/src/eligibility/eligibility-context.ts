import type { Credential, RuleSet } from '@service/contract';
import type { ClauseMasks } from '@service/protocol/eligibility/clause';
import { dateCodeAt } from '@service/protocol/eligibility/date-code';
import type { SetupProvenance } from '@service/protocol/eligibility/manifest';
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { latestPassExpiry } from './pass-expiry.ts';
import { type VerifiedFacts, verifiedFacts } from './verified-records.ts';

declare const MADE: unique symbol;

/**
 * The public facts that an eligibility proof is bound to, all read from the chain (SPEC.md section 1). It is frozen. Only
 * {@link buildEligibilityContext} creates it.
 */
export interface EligibilityContext {
  /** For the compiler only: an object literal is not a context. */
  readonly [MADE]: true;
  /** The wallet that will hold the pass. */
  readonly wallet: Address;
  /** Address of the rule set. */
  readonly rule: Address;
  /** Unix seconds at which the pass will expire. */
  readonly expiresAt: bigint;
  /** Date code of the day for which ages are computed: that of the chain time, in UTC. */
  readonly asOf: number;
  /** The credential's commitment, 64 hex digits. */
  readonly commitment: string;
  /** The rule set's hash, 64 hex digits. */
  readonly ruleHash: string;
  /** The rule set's clauses as masks, in order. */
  readonly clauses: readonly ClauseMasks[];
  /** How many wallets of one person can prove the rule set; 0 if any number can. */
  readonly walletsPerPerson: number;
  /** Id of the circuit whose proofs the program accepts. */
  readonly circuit: string;
  /** Digest of the artifacts that must be used. */
  readonly artifactsDigest: string;
  /** The kinds of setups whose artifacts may be used. @default ['ceremony'] */
  readonly acceptedSetups?: readonly SetupProvenance['kind'][] | undefined;
  /** Base58 genesis hash of the cluster. */
  readonly genesisHash: string;
}

const made = new WeakSet<EligibilityContext>();

/** Returns whether {@link buildEligibilityContext} created this object. */
export function isEligibilityContext(context: EligibilityContext): boolean {
  return typeof context === 'object' && context !== null && made.has(context);
}

/**
 * Builds the context of a proof from the credential and the rule set of one `client.proofContext({ rule })` (SPEC.md
 * section 1). Checks what the program will check. Sends no request and computes no hash.
 *
 * @param expiresAt Unix seconds at which the pass will expire: later than the chain time, at most `latestPassExpiry`
 * @throws ServiceError RECORD_NOT_VERIFIED, CREDENTIAL_REQUIRED (revoked), CREDENTIAL_EXPIRED, VERIFIER_INACTIVE,
 *   VERIFIER_NOT_ACCEPTED, CIRCUIT_MISMATCH, PASS_EXPIRY_INVALID with the latest possible time
 * @example
 * const { credential, ruleSet, ...facts } = await client.proofContext({ rule });
 * const context = buildEligibilityContext(credential, ruleSet, latestPassExpiry({ credential, ruleSet, ...facts }));
 */
export function buildEligibilityContext(
  credential: Credential,
  rule: RuleSet,
  expiresAt: bigint,
): EligibilityContext {
  const facts = verifiedFacts(credential, rule);
  checkCanProve(facts);
  checkExpiry(facts, expiresAt);
  const context = Object.freeze<Omit<EligibilityContext, typeof MADE>>({
    wallet: facts.credential.wallet,
    rule: facts.ruleSet.address,
    expiresAt,
    asOf: dateCodeAt(facts.chainTime),
    commitment: facts.credential.commitment,
    ruleHash: facts.ruleSet.ruleHash,
    clauses: facts.clauses,
    walletsPerPerson: facts.ruleSet.walletsPerPerson ?? 0,
    circuit: facts.circuit.id,
    artifactsDigest: facts.deployment.artifactsDigest,
    acceptedSetups: facts.deployment.acceptedSetups,
    genesisHash: facts.deployment.genesisHash,
  }) as EligibilityContext;
  made.add(context);
  return context;
}

/**
 * Checks that a proof could open a pass now.
 *
 * @throws ServiceError CREDENTIAL_REQUIRED, CREDENTIAL_EXPIRED, VERIFIER_INACTIVE, VERIFIER_NOT_ACCEPTED, CIRCUIT_MISMATCH
 */
export function checkCanProve(facts: VerifiedFacts): void {
  const { credential, ruleSet, verifier, circuit, deployment, chainTime } = facts;
  if (credential.revoked) {
    throw new ServiceError('CREDENTIAL_REQUIRED', {
      message: 'The credential was revoked by its verifier. Verify again with client.startVerification.',
    });
  }
  if (credential.expiresAt <= chainTime) {
    throw new ServiceError('CREDENTIAL_EXPIRED', {
      message: 'The credential has expired. Verify again with client.startVerification.',
    });
  }
  if (!verifier.active) {
    throw new ServiceError('VERIFIER_INACTIVE', {
      message: `The verifier ${verifier.address} of the credential is not active. Verify again with another one.`,
    });
  }
  if (ruleSet.verifier && ruleSet.verifier !== credential.verifier) {
    throw new ServiceError('VERIFIER_NOT_ACCEPTED', {
      message: `The rule set accepts only credentials of the verifier ${ruleSet.verifier}, and the credential is of ${credential.verifier}. Verify again there with client.startVerification.`,
    });
  }
  if (circuit.artifactsDigest !== deployment.artifactsDigest) {
    throw new ServiceError('CIRCUIT_MISMATCH', {
      message: `The circuit ${circuit.id} has the artifacts ${circuit.artifactsDigest}, but the deployment pins ${deployment.artifactsDigest}. Get the operator's current deployment.json.`,
    });
  }
  if (circuit.retiredAt !== null && circuit.retiredAt <= chainTime) {
    throw new ServiceError('CIRCUIT_MISMATCH', {
      message: `The circuit ${circuit.id} is retired. Get the operator's current deployment.json.`,
    });
  }
}

function checkExpiry(facts: VerifiedFacts, expiresAt: bigint): void {
  const latest = latestPassExpiry(facts);
  if (typeof expiresAt === 'bigint' && expiresAt > facts.chainTime && expiresAt <= latest) return;
  throw new ServiceError('PASS_EXPIRY_INVALID', {
    message: `expiresAt must be a bigint of Unix seconds, later than the chain time ${facts.chainTime} and at most ${latest}. Use latestPassExpiry(facts).`,
    context: { latest },
  });
}
