/** The requests of callers. */
import type { RegionCode, StatusCode, Witness } from '@service/contract';
import type { Address } from '@solana/kit';
import type { ArtifactSource } from '../prover/artifact-source/artifacts-from.ts';

/**
 * A clause to create. A person meets it with one of the regions, one of the statuses, and an age of at least minAge
 * (SPEC.md section 4).
 *
 * @inline
 */
export interface ClauseRequest {
  /** Region codes of REGIONS, ISO 3166-1 alpha-2. */
  readonly regions: readonly RegionCode[];
  /** Status codes of STATUSES. */
  readonly statuses: readonly StatusCode[];
  /** Whole years, 0 to 120. */
  readonly minAge: number;
}

/** A rule set to create (SPEC.md section 4). */
export interface CreateRuleSetRequest {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string;
  /** With the creator, it determines the address. @default a random u64 */
  readonly nonce?: bigint | undefined;
  /** 1 to 8. A person meets the rule set by meeting one of them. */
  readonly clauses: readonly ClauseRequest[];
  /** Longest life of a pass in seconds, 3600 to 31622400. */
  readonly maxPassAgeSeconds: bigint;
}

/** A mint to bind to a rule set (SPEC.md section 4). */
export interface BindMintRequest {
  /** A Token-2022 mint of the binding profile; `createBindableMint` makes one. */
  readonly mint: Address;
  /** The rule set that recipients of transfers must have a pass of. */
  readonly rule: Address;
  /** Whether the sender of a transfer needs a live pass too. */
  readonly requireSource: boolean;
}

/**
 * A proof to submit; `generateEligibilityProof` returns one (SPEC.md section 4).
 *
 * @inline
 */
export interface ProveFromProof {
  /** The rule set that is proven. */
  readonly rule: Address;
  /** Unix seconds. */
  readonly expiresAt: bigint;
  /** Date code of the day for which the proof computes ages: `asOf` of the context. The service does not get it. */
  readonly asOf: number;
  /** 256 bytes. */
  readonly proof: Uint8Array;
}

/**
 * A rule set to prove from the witness (SPEC.md section 1).
 *
 * @inline
 */
export interface ProveFromWitness {
  /** The rule set to prove. */
  readonly rule: Address;
  /** The witness from the verifier. It stays on this machine. */
  readonly witness: Witness;
  /** Unix seconds. @default the latest that the rule set and the credential allow */
  readonly expiresAt?: bigint | undefined;
  /** @default client.artifacts */
  readonly artifacts?: ArtifactSource | undefined;
}

/** A rule set to prove: with a proof, or from the witness (SPEC.md section 4). */
export type ProveRequest = ProveFromProof | ProveFromWitness;

/** Tokens to issue (SPEC.md section 4). */
export interface IssueRequest {
  /** A mint that this wallet has bound. */
  readonly mint: Address;
  /** Token account; `tokenAccountOf({ mint, owner })` returns the usual one. */
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** Tokens to transfer (SPEC.md section 4). */
export interface TransferRequest {
  /** A bound mint. */
  readonly mint: Address;
  /** Token account of the signing wallet. */
  readonly source: Address;
  /** Token account that receives. Its owner needs a live pass. */
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
}

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
}
