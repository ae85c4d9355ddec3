/** The requests of callers. Those that are posted as they are have their types in contract. */
import type * as contract from '@service/contract';
import type {
  BindMintRequest,
  GrantRequest,
  IssueRequest,
  RecoverRequest,
  RedeemRequest,
  RegionCode,
  StatusCode,
  SuspendRequest,
  TransferRequest,
  Witness,
} from '@service/contract';
import type { Address } from '@solana/kit';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';

export type {
  BindMintRequest,
  GrantRequest,
  IssueRequest,
  RecoverRequest,
  RedeemRequest,
  SuspendRequest,
  TransferRequest,
};

/**
 * A clause to create. A person meets it with one of the regions, one of the statuses, and an age of at least minAge
 * (SPEC.md section 4).
 */
export interface ClauseRequest {
  /** Region codes of REGIONS, ISO 3166-1 alpha-2. */
  readonly regions: readonly RegionCode[];
  /** Status codes of STATUSES. */
  readonly statuses: readonly StatusCode[];
  /** Whole years, 0 to 120. */
  readonly minAge: number;
}

/**
 * A rule set to create (SPEC.md section 4).
 *
 * @interface
 */
export type CreateRuleSetRequest = Omit<contract.CreateRuleSetRequest, 'nonce' | 'clauses'> & {
  /** A u64. With the creator, it determines the address. @default a random u64 */
  readonly nonce?: bigint | undefined;
  /** 1 to 8 clauses. A person who meets one of them meets the rule set. */
  readonly clauses: readonly ClauseRequest[];
};

/** A proof to submit; `generateEligibilityProof` returns one (SPEC.md section 4). */
export interface ProveFromProof {
  /** The rule set that is proven. */
  readonly rule: Address;
  /** Unix seconds. */
  readonly expiresAt: bigint;
  /** Date code of the day for which the proof computes ages: `asOf` of the context. The service does not get it. */
  readonly asOf: number;
  /** 256 bytes; 289 with a place, as `generateEligibilityProof` returns them. */
  readonly proof: Uint8Array;
  /**
   * Base58 address of another wallet of the person. It loses the place of the proof and its pass, and everybody can see that
   * both wallets are of one person. @default the place is free, or the wallet holds it
   */
  readonly replaces?: Address | undefined;
}

/** A rule set to prove from the witness (SPEC.md section 1). */
export interface ProveFromWitness {
  /** The rule set to prove. */
  readonly rule: Address;
  /** The witness from the verifier. It stays on this machine. */
  readonly witness: Witness;
  /** Unix seconds. @default the latest that the rule set and the credential allow */
  readonly expiresAt?: bigint | undefined;
  /**
   * Base58 address of another wallet of the person, such as a lost one. It loses its place and its pass, and everybody can see
   * that both wallets are of one person. Only for a rule set with `walletsPerPerson`.
   * @default the wallet's own place, or a random free one
   */
  readonly replaces?: Address | undefined;
  /** @default client.artifacts */
  readonly artifacts?: ArtifactSource | undefined;
}

/** A rule set to prove: with a proof, or from the witness (SPEC.md section 4). */
export type ProveRequest = ProveFromProof | ProveFromWitness;

/** The request of each operation kind (SPEC.md section 4). */
export interface Requests {
  /** The request of `createRuleSet`. */
  readonly CREATE_RULE_SET: CreateRuleSetRequest;
  /** The request of `bindMint`. */
  readonly BIND_MINT: BindMintRequest;
  /** The request of `prove`. */
  readonly PROVE: ProveFromProof;
  /** The request of `issue`. */
  readonly ISSUE: IssueRequest;
  /** The request of `transfer`. */
  readonly TRANSFER: TransferRequest;
  /** The request of `recover`. */
  readonly RECOVER: RecoverRequest;
  /** The request of `redeem`. */
  readonly REDEEM: RedeemRequest;
  /** The request of `suspend`. */
  readonly SUSPEND: SuspendRequest;
  /** The request of `grant`. */
  readonly GRANT: GrantRequest;
}
