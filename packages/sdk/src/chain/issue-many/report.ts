/** What an issue to many reports. */
import type { ProgramErrorName } from '@service/contract';
import type { Address, Signature } from '@solana/kit';
import type { CheckReason } from '../../preflight/check-reason.ts';
import type { CredentialRevoked } from '../../preflight/receivers.ts';
import type { TransferCheckReason } from '../../preflight/transfer-check-types.ts';

/** Why a row was not issued (SPEC.md section 2). */
export type RowReason =
  /** What `checkTransfer` reports for an issue, such as DESTINATION_PASS_MISSING. Nothing was signed for the row. */
  | TransferCheckReason
  /** The owner of the destination has no credential, or it was revoked. That person verifies again. */
  | CredentialRevoked
  /** The row passed the check, and then it stopped its transaction on chain. The other rows were issued without it. */
  | (CheckReason<'FAILED_ON_CHAIN', 'recipient'> & {
      /** Base58 signature of that transaction. */
      readonly signature: Signature;
      /** The runtime's name of the error; `Custom` if a program returned its own. */
      readonly cause: string;
      /** The name of the program's error, such as `DESTINATION_PASS_EXPIRED`. */
      readonly programError?: ProgramErrorName;
    });

/** What happened to one row (SPEC.md section 2). */
export type RowReport = {
  /** Its place in the rows, from 0. */
  readonly index: number;
  /** Your id, or the index as text. */
  readonly id: string;
  /** Base58 address of the token account. */
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
} & (
  | {
      /** Its tokens are final on your own RPC. */
      readonly state: 'issued';
      /** Base58 signature of its transaction. */
      readonly signature: Signature;
    }
  | {
      /** It has no tokens. Another call with the same ledger tries it again. */
      readonly state: 'rejected';
      /** Every reason, at least one. */
      readonly reasons: readonly RowReason[];
    }
);

/** The result of {@link issueMany} (SPEC.md section 2). */
export interface IssueReport {
  /** One for each row, in their order. */
  readonly rows: readonly RowReport[];
  /** How many rows were issued. */
  readonly issued: number;
  /** How many rows were rejected. */
  readonly rejected: number;
}

/** How far an issue to many is: numbers of rows (SPEC.md section 2). */
export interface IssueProgress {
  /** All rows. */
  readonly total: number;
  /** Rows whose tokens are final. */
  readonly issued: number;
  /** Rows that this call rejected. */
  readonly rejected: number;
  /** Rows in transactions that have not ended. */
  readonly inFlight: number;
}
