/** Request bodies. They are strict: an unknown field is rejected (SPEC.md section 4). */
import * as z from 'zod/mini';
import { clauseRequest } from './clause.ts';
import { CREATOR_POWERS } from './creator-powers.ts';
import {
  addressField,
  base64Field,
  decimalPattern,
  ed25519SignatureField,
  idField,
  nameField,
  proofField,
  u64Field,
  u64OrIntegerField,
} from './fields.ts';
import { MAX_CLAUSES, MAX_WALLETS_PER_PERSON, RULES_PAGE } from './limits.ts';
import { REMOVAL_REASONS } from './removal-reasons.ts';

const preparingFields = {
  /** Price of a compute unit, in micro-lamports. Without a price, the transaction pays no priority fee. */
  computeUnitPrice: z.optional(u64Field),
};
/** `POST /api/auth/challenge`. */
export const challengeRequest = z.strictObject({
  /** Base58 address of the wallet that wants to sign in. */
  wallet: addressField,
});
/** `POST /api/auth/verify`. The signature is base64 of 64 bytes. */
export const verifyRequest = z.strictObject({
  /** UUID of the challenge. */
  challengeId: idField,
  /** Base58 address of the wallet that asked for the challenge. */
  wallet: addressField,
  /** The wallet’s ed25519 signature of the exact message: base64 of 64 bytes. */
  signature: ed25519SignatureField,
});
/** `POST /api/verification-sessions`. returnUrl is a URL under the site's origin. */
export const verificationSessionRequest = z.strictObject({
  /** The URL to which the verifier sends the person back. It is under the site’s origin and has no fragment. */
  returnUrl: z.url('must be an absolute URL').check(z.maxLength(2_048)),
  /** The name of a verifier that `GET /api/config` lists. Without it, the first one. */
  verifier: z.optional(z.string().check(z.maxLength(100))),
});
/** `POST /api/proofs/context`. */
export const proofContextRequest = z.strictObject({
  /** Base58 address of the rule set. */
  rule: addressField,
});
/** `POST /api/rules`. */
export const createRuleSetRequest = z.strictObject({
  ...preparingFields,
  /** Name of the rule set: 1 to 32 bytes of UTF-8. */
  name: nameField,
  /** A u64 that no other rule set of the wallet has. The address is derived from the wallet and the nonce. */
  nonce: u64Field,
  /** 1 to 8 clauses. A person who meets one of them meets the rule set. */
  clauses: z.array(clauseRequest).check(z.minLength(1), z.maxLength(MAX_CLAUSES)),
  /** Longest lifetime of a pass, in seconds: one hour to 366 days. */
  maxPassAgeSeconds: u64OrIntegerField,
  /**
   * What the wallet may do with passes of the rule set: `suspend` them, `grant` them without a proof. It never changes.
   * Holders see it. Default: nothing.
   */
  powers: z.optional(z.array(z.enum(CREATOR_POWERS)).check(z.maxLength(CREATOR_POWERS.length))),
  /** Base58 address of the only Verifier account whose credentials prove the rule set. It never changes. Default: any. */
  verifier: z.optional(addressField),
  /**
   * How many wallets of one person can prove the rule set, as the verifier knows persons: 1 to 255. It needs `verifier` and
   * at most 6 clauses, and never changes. 0: any number. Default: 0.
   */
  walletsPerPerson: z.optional(z.int().check(z.gte(0), z.lte(MAX_WALLETS_PER_PERSON))),
});
/** `POST /api/mint-bindings`. */
export const bindMintRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of a Token-2022 mint that meets the binding profile. The wallet is its mint authority. */
  mint: addressField,
  /** Base58 address of the rule set. */
  rule: addressField,
  /** Whether the sender of a transfer needs a live pass too. */
  requireSource: z.boolean(),
  /** Whether granted passes count for the mint. It never changes. Default: false. */
  honoursGranted: z.optional(z.boolean()),
  /**
   * Whether each transfer reads the credentials of the owners whose passes it requires. Then a revocation stops transfers at
   * once. It never changes. Default: false.
   */
  readsCredential: z.optional(z.boolean()),
});
/** `POST /api/proofs`. The proof is base64 of 256 bytes, or of 289 if the rule set limits the wallets of each person. */
export const proveRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of the rule set. */
  rule: addressField,
  /** Unix seconds at which the pass expires. */
  expiresAt: u64Field,
  /**
   * The Groth16 proof: base64 of 256 bytes. If the rule set has `walletsPerPerson`, base64 of 289 bytes: the proof, the number
   * of the place (1), from 0, and the tag of the person for it (32).
   */
  proof: proofField,
  /**
   * Base58 address of another wallet of the person, which holds the place and loses it with its pass. It must have held the
   * place for an hour. The chain then shows everybody that both wallets are of one person. Default: the place is free.
   */
  replaces: z.optional(addressField),
});
/** Amount in base units of a token; not zero. */
export const amountField = u64Field.check(z.refine((value) => value > 0n, 'must not be zero'));
/** `POST /api/mints/issue`. The amount is in base units. */
export const issueRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of a bound mint. The wallet is its issuer. */
  mint: addressField,
  /** Base58 address of a token account of the mint. Its owner needs a live pass. */
  destination: addressField,
  /** Amount in base units. */
  amount: amountField,
});
/** `POST /api/transfers`. The amount is in base units. */
export const transferRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of a bound mint. */
  mint: addressField,
  /** Base58 address of a token account of the wallet. */
  source: addressField,
  /** Base58 address of a token account of the mint. Its owner needs a live pass. */
  destination: addressField,
  /** Amount in base units. */
  amount: amountField,
});
/** `POST /api/mints/redeem`. The amount is in base units. */
export const redeemRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of a bound mint with the power to recover. The wallet is its issuer. */
  mint: addressField,
  /** Base58 address of the token account of the mint that the tokens are taken from. Its owner does not sign. It is not frozen. */
  source: addressField,
  /** Amount in base units. */
  amount: amountField,
  /** Why. The chain records it, and everybody can see it. */
  reason: z.enum(REMOVAL_REASONS),
});
/** `POST /api/mints/recover`. The amount is in base units. */
export const recoverRequest = z.strictObject({
  // z.extend would make a bundle of the SDK larger.
  ...redeemRequest.shape,
  /** Base58 address of the token account of the mint that receives the same amount. Its owner needs a live pass. */
  destination: addressField,
});
/** `POST /api/suspensions`. */
export const suspendRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of a rule set that has the power `suspend`. The wallet is its creator. */
  rule: addressField,
  /** Base58 address of the wallet to suspend. It need not have a pass. */
  holder: addressField,
  /**
   * Unix seconds until which its pass is suspended, in the future. 0 lifts the suspension. 18446744073709551615: until the
   * creator lifts it.
   */
  until: u64Field,
});
/** `POST /api/grants`. */
export const grantRequest = z.strictObject({
  ...preparingFields,
  /** Base58 address of a rule set that has the power `grant`. The wallet is its creator. */
  rule: addressField,
  /** Base58 address of the wallet that gets the pass. It proves and signs nothing. */
  holder: addressField,
  /** Unix seconds at which the pass expires. 0 ends the grant. */
  expiresAt: u64Field,
});
/** `POST /api/transactions/submit`. */
export const submitRequest = z.strictObject({
  /** UUID of the operation. */
  operationId: idField,
  /** The prepared or adopted transaction with the wallet’s signature added and nothing else changed, as base64. */
  transaction: base64Field,
});
/** `POST /api/transactions/adopt`. */
export const adoptRequest = z.strictObject({
  /** UUID of the operation. */
  operationId: idField,
  /** The message that the wallet signed: the prepared one with guards and a compute budget added, as base64. */
  message: base64Field,
});
/** No body, or an empty object. */
export const emptyRequest = z.strictObject({});
/** Query of `GET /api/rules`. */
export const rulesQuery = z.strictObject({
  limit: z.optional(
    z
      .string()
      .check(
        z.regex(
          decimalPattern({ least: 1, most: BigInt(RULES_PAGE.max) }),
          `must be a whole number from 1 to ${RULES_PAGE.max}`,
        ),
      ),
  ),
  cursor: z.optional(z.string().check(z.maxLength(200))),
});
/** Query of `GET /api/mint-bindings`. */
export const mintBindingQuery = z.strictObject({
  mint: addressField,
});

export type ChallengeRequest = z.infer<typeof challengeRequest>;
export type VerifyRequest = z.infer<typeof verifyRequest>;
export type VerificationSessionRequest = z.infer<typeof verificationSessionRequest>;
export type SubmitRequest = z.infer<typeof submitRequest>;
export type AdoptRequest = z.infer<typeof adoptRequest>;

/** The fields of a preparing request that not every preparing request has. */
type AskedIn<S extends z.ZodMiniType> = {
  readonly [F in keyof z.infer<S> as Exclude<F, keyof typeof preparingFields>]: z.infer<S>[F];
} & {};

/**
 * A rule set to create (SPEC.md section 4).
 *
 * @interface
 */
export type CreateRuleSetRequest = AskedIn<typeof createRuleSetRequest>;
/**
 * A mint to bind to a rule set (SPEC.md section 4). `createBindableMint` makes such a mint.
 *
 * @interface
 */
export type BindMintRequest = AskedIn<typeof bindMintRequest>;
/**
 * A proof to submit (SPEC.md section 4).
 *
 * @interface
 */
export type ProveRequest = AskedIn<typeof proveRequest>;
/**
 * Tokens to issue (SPEC.md section 4). `tokenAccountOf({ mint, owner })` returns the usual destination.
 *
 * @interface
 */
export type IssueRequest = AskedIn<typeof issueRequest>;
/**
 * Tokens to transfer (SPEC.md section 4). `tokenAccountOf({ mint, owner })` returns the usual source and destination.
 *
 * @interface
 */
export type TransferRequest = AskedIn<typeof transferRequest>;

/**
 * Tokens to take and to give to another token account (SPEC.md section 4).
 *
 * @interface
 */
export type RecoverRequest = AskedIn<typeof recoverRequest>;
/**
 * Tokens to take and to burn (SPEC.md section 4).
 *
 * @interface
 */
export type RedeemRequest = AskedIn<typeof redeemRequest>;
/**
 * A wallet to suspend, or a suspension to lift (SPEC.md section 4).
 *
 * @interface
 */
export type SuspendRequest = AskedIn<typeof suspendRequest>;
/**
 * A pass to grant, or a grant to end (SPEC.md section 4).
 *
 * @interface
 */
export type GrantRequest = AskedIn<typeof grantRequest>;

/** The request of each operation kind. */
export interface PreparingRequests {
  readonly CREATE_RULE_SET: CreateRuleSetRequest;
  readonly BIND_MINT: BindMintRequest;
  readonly PROVE: ProveRequest;
  readonly ISSUE: IssueRequest;
  readonly TRANSFER: TransferRequest;
  readonly RECOVER: RecoverRequest;
  readonly REDEEM: RedeemRequest;
  readonly SUSPEND: SuspendRequest;
  readonly GRANT: GrantRequest;
}
