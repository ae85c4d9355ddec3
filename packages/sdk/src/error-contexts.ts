/** The contexts of errors, by code. */
import type { ProgramErrorName } from '@service/contract';
import type { ServiceErrorCode } from './error-codes.ts';

/** One place where a message differs from what was expected (SPEC.md section 1). */
export interface MessageDifference {
  /** For example `fee payer`, `instruction 1, account 3`, `instruction 1, data bytes 1 to 8`. */
  readonly part: string;
  /** The value in the expected message. */
  readonly expected: string;
  /** The value in the received message. */
  readonly received: string;
}

/** One thing that a wallet changed (SPEC.md section 1). */
export interface WalletChange {
  /**
   * `PRIORITY_FEE` and `COMPUTE_LIMIT`: it added a compute budget instruction. `GUARD`: it added an instruction of a
   * program that checks the outcome, such as Lighthouse. `INSTRUCTION`: it added another one. `BLOCKHASH`: it replaced the
   * blockhash. `OTHER`: it changed the requested transaction, or returned no transaction with one signature.
   */
  readonly kind: 'PRIORITY_FEE' | 'COMPUTE_LIMIT' | 'GUARD' | 'INSTRUCTION' | 'BLOCKHASH' | 'OTHER';
  /** Address of the program of an added instruction. */
  readonly program?: string;
  /** A description of the change, for messages. */
  readonly what: string;
}

/** The binding of a sign-in message that was found wrong (SPEC.md section 5). */
export type ChallengeBinding =
  | 'format'
  | 'origin'
  | 'wallet'
  | 'program'
  | 'genesisHash'
  | 'challengeId'
  | 'nonce'
  | 'issuedAt'
  | 'expiresAt';

/** The requirements of one clause that the witness does not meet (SPEC.md sections 1 and 7). */
export type UnmetClause = {
  /** Index of the clause in the rule set, from 0. */
  readonly clause: number;
  /** The requirements that are not met. */
  readonly unmet: readonly ('region' | 'status' | 'age')[];
};

/** Why an operation ended without effect (SPEC.md section 3). */
export type FailedOperation = {
  /** UUID of the operation. */
  readonly operationId: string;
  /** Whether it failed on chain or was certainly never executed. */
  readonly reason: 'ON_CHAIN_ERROR' | 'NEVER_LANDED';
} & ProgramFailure;

/** Which instruction of a transaction failed, and why (SPEC.md section 3). */
export type ProgramFailure = {
  /**
   * Index of the instruction that failed. In an operation 0 is the memo, 1 the action, if no guards and no compute budget
   * were added.
   */
  readonly instruction?: number;
  /** The error of the program, by number and name. */
  readonly programError?: {
    /** Number of the error. */
    readonly code: number;
    /**
     * Its name, such as `DESTINATION_PASS_MISSING`; `GUARD_FAILED` if a guard that the wallet added did not hold;
     * `CUSTOM_<code>` when the number has no known name.
     */
    readonly name: ProgramErrorName;
  };
};

/** Something that this platform lacks (SPEC.md section 1). */
export type PlatformLack = {
  /** Name of the global or its member, such as `WebAssembly` or `crypto.subtle`. */
  readonly feature: string;
  /** What cannot be done without it. `everything` leaves only reads of the service. */
  readonly neededFor: 'everything' | 'proofs';
  /** Why it is missing, if that is known, and what to do. */
  readonly remedy: string;
};

/** What the wallet of an operation has and needs, in lamports (SPEC.md section 5). */
export type FundsShortfall = {
  /** Base58 address of the wallet that pays. */
  readonly wallet: string;
  /** Lamports that it has. */
  readonly balance: bigint;
  /** Lamports with which it can certainly pay: the sum of `fee`, `priorityFee`, `rent` and `minimum`. */
  readonly needed: bigint;
  /** The fee of the signature. */
  readonly fee: bigint;
  /** The most that the operation pays for priority. */
  readonly priorityFee: bigint;
  /** The rent of the accounts that the operation creates. */
  readonly rent: bigint;
  /** What must stay in the wallet, unless nothing stays. */
  readonly minimum: bigint;
};

/**
 * The type of `context`, by code. Codes that are not listed have an empty context (SPEC.md section 7).
 */
export interface ServiceErrorContexts {
  /** The argument or option that is not valid. */
  INVALID_ARGUMENT: {
    /** Its name; a nested field has dots, as in `deployment.rpcUrl`. */
    readonly field: string;
  };
  /** The field of the request, if the error is about one. */
  INVALID_REQUEST: {
    /** Its name in the body. */
    readonly field?: string;
  };
  /** The field of the answer, if the error is about one. */
  UNEXPECTED_RESPONSE: {
    /** Its name in the body. */
    readonly field?: string;
  };
  /** The two genesis hashes in base58, and the source of the second one. */
  GENESIS_HASH_MISMATCH: {
    /** Where the other genesis hash came from. */
    readonly source: 'argument' | 'rpc' | 'context';
    /** The genesis hash of the deployment. */
    readonly expected: string;
    /** The genesis hash that was received. */
    readonly received: string;
  };
  /** The binding that is wrong. */
  CHALLENGE_REFUSED: {
    /** The name of the binding. */
    readonly binding: ChallengeBinding;
    /** The value that the message must contain. */
    readonly expected: string;
    /** The value that it contains; null if it has none. */
    readonly received: string | null;
  };
  /** The two addresses. */
  WALLET_MISMATCH: {
    /** Base58 address of the wallet that was expected. */
    readonly expected: string;
    /** Base58 address of the wallet that was used. */
    readonly received: string;
  };
  /** The changes of the wallet. */
  WALLET_CHANGED_TRANSACTION: {
    /** The changes, by kind; `docs/wallets.md` has a text for each. */
    readonly changes: readonly WalletChange[];
    /** Where the signed message differs from the one that the wallet received. */
    readonly differences: readonly MessageDifference[];
  };
  /** How the prepared message differs from the one that the request needs. */
  PREPARED_MISMATCH: {
    /** Each difference, in order. */
    readonly differences: readonly MessageDifference[];
  };
  /** What the platform lacks. */
  UNSUPPORTED_PLATFORM: {
    /** Everything that the call needs and the platform does not have. */
    readonly missing: readonly PlatformLack[];
  };
  /** The wallet that cannot pay, and what it needs. */
  INSUFFICIENT_FUNDS: FundsShortfall;
  /** The amount, and the highest one, in base units. */
  AMOUNT_TOO_HIGH: {
    /** What the operation would move. */
    readonly amount: bigint;
    /** The most that it can move. */
    readonly most: bigint;
  };
  /** The operation of the wallet that must end first; empty if only the service knows it. */
  SIGNED_OPERATION_PENDING: {
    /** UUID of that operation. */
    readonly operationId?: string;
    /** About how many seconds it can still land, if the wallet signed it and this client did not send it. */
    readonly seconds?: number;
  };
  /** The operation to wait for. */
  OPERATION_ALREADY_SIGNED: {
    /** UUID. */
    readonly operationId: string;
  };
  /** The draft. */
  OPERATION_NOT_SIGNED: {
    /** UUID. */
    readonly operationId: string;
  };
  /** Why it failed. */
  OPERATION_FAILED: FailedOperation;
  /** The operation to wait for. */
  OUTCOME_UNKNOWN: {
    /** UUID. */
    readonly operationId: string;
    /** The code of the service's answer, if it answered with an error. */
    readonly answer?: string;
  };
  /** The transaction, and whether it can still land. */
  TRANSACTION_FAILED: {
    /** Whether it certainly had no effect. Otherwise it may have been executed, or may still be. */
    readonly isFinal: boolean;
    /** Base58 signature, for a lookup. */
    readonly signature: string;
  } & ProgramFailure;
  /** What differs from the first line of the ledger. */
  LEDGER_MISMATCH: {
    /** Of `program`, `genesisHash`, `mint`, `issuer`, `rows` (their number) and `digest` (of all rows). */
    readonly fields: readonly string[];
  };
  /** The fields that differ from the deployment. */
  CONFIG_MISMATCH: {
    /** Names of fields of `GET /api/config`. */
    readonly fields: readonly string[];
  };
  /** When the pass can be closed, or the token account of its holder frozen. */
  PASS_LIVE: {
    /** Unix seconds at which the pass expires. */
    readonly expiresAt: bigint;
    /** Unix seconds from which any wallet can close it, or freeze the account; 2^64 - 1: only the creator of the rule set can act. */
    readonly closableAt: bigint;
  };
  /** The missing pass. */
  PASS_REQUIRED: {
    /** Base58 address of the rule set. */
    readonly rule: string;
    /** Base58 address of the wallet. */
    readonly wallet: string;
  };
  /** The first field that is wrong. */
  RECEIPT_INVALID: {
    /** Its name in the receipt. */
    readonly field: string;
    /** What the chain shows, or what a receipt must contain. */
    readonly expected: string;
    /** What the receipt contains. */
    readonly received: string;
  };
  /** The fields that differ between the service and the chain. */
  RECORD_MISMATCH: {
    /** Names of the fields; a nested field has dots. */
    readonly fields: readonly string[];
  };
  /** The address without an account. */
  ACCOUNT_NOT_FOUND: {
    /** Base58. */
    readonly address: string;
  };
  /** The account that the SDK cannot read. */
  ACCOUNT_UNREADABLE: {
    /** Base58. */
    readonly address: string;
  };
  /** The latest expiry that the pass can have, in Unix seconds. */
  PASS_EXPIRY_INVALID: {
    /** Unix seconds. */
    readonly latest: bigint;
  };
  /** When the pass can be renewed. */
  PASS_RENEWAL_TOO_EARLY: {
    /** Unix seconds. */
    readonly renewableAt: bigint;
  };
  /** Why the saved witness cannot be opened. */
  WITNESS_LOCKED: {
    /** `malformed`: not the whole text. `deployment`: saved for another one. `key`: wrong passphrase or wallet, or a changed text. */
    readonly reason: 'malformed' | 'deployment' | 'key';
  };
  /** The requirements that are not met. Show them to the person only. */
  NOT_ELIGIBLE: {
    /** One for each clause of the rule set. */
    readonly clauses: readonly UnmetClause[];
  };
}

/** The context of an error by its code (SPEC.md section 7). */
export type ServiceErrorContext<C extends ServiceErrorCode> = C extends keyof ServiceErrorContexts
  ? ServiceErrorContexts[C]
  : Readonly<Record<never, never>>;
