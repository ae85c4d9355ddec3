/** Checks rows against the chain, right before they are packed: one bad row would fail its whole transaction. */
import { SIGNATURE_FEE_LAMPORTS } from '@service/protocol';
import { ServiceError } from '../../errors.ts';
import {
  checkReceivers,
  type Issue,
  type ReadyRow,
  type RejectedRow,
  readShared,
} from '../../preflight/receivers.ts';
import { readTogether } from '../../rpc/accounts.ts';
import { checkCanPay, fundsQueryOf, U64_MAX } from '../../rpc/funds.ts';
import type { CheckedRow } from './rows.ts';

/** Rows that were checked. */
export interface CheckedRows {
  readonly ready: readonly ReadyRow<CheckedRow>[];
  readonly rejected: readonly RejectedRow<CheckedRow>[];
}

/**
 * Checks rows at finalized commitment.
 *
 * @param left base units of all rows that are not issued yet, with these
 * @throws ServiceError MINT_NOT_BOUND, NOT_ISSUER, PROTOCOL_PAUSED, MINT_PAUSED, AMOUNT_TOO_HIGH, ACCOUNT_NOT_FOUND,
 *   RPC_ERROR, ABORTED
 */
export async function checkRows(
  issue: Issue,
  rows: readonly CheckedRow[],
  left: bigint,
): Promise<CheckedRows> {
  const shared = await readShared(issue);
  const most = U64_MAX - shared.mint.supply;
  if (left > most) {
    throw new ServiceError('AMOUNT_TOO_HIGH', {
      message: `The rows that are not issued yet add up to ${left} base units, but the mint ${issue.mint} can issue at most ${most} more. Nothing was signed for them. Use lower amounts, with a new ledger.`,
      context: { amount: left, most },
    });
  }
  return checkReceivers(issue, shared, rows);
}

/**
 * Checks that the issuer can pay the fees of so many transactions, at confirmed commitment. The network drops what nobody
 * can pay.
 *
 * @throws ServiceError INSUFFICIENT_FUNDS, RPC_ERROR, ABORTED
 */
export async function checkFees({ chain, issuer, mint, signal }: Issue, transactions: number): Promise<void> {
  const intent = { kind: 'ISSUE', wallet: issuer, mint, destination: mint, amount: 1n } as const;
  const { addresses, fundsOf } = await fundsQueryOf(chain, { intent });
  const reading = { what: 'Reading the balance of the wallet', commitment: 'confirmed', signal } as const;
  const funds = await readTogether(chain, addresses, reading, fundsOf);
  checkCanPay({ ...funds, fee: SIGNATURE_FEE_LAMPORTS * BigInt(transactions) });
}
