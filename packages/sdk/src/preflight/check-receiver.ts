/** Checks who receives recovered tokens. Uses the caller's own RPC. */
import type { Address } from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { invalidArgument } from '../lib/check-arguments.ts';
import { accountNotFound } from '../rpc/accounts.ts';
import {
  checkReceivers,
  type Issue,
  type ReadyRow,
  type RejectedRow,
  type Row,
  readShared,
} from './receivers.ts';

/**
 * Checks that a token account can receive recovered tokens, at finalized commitment. Returns what the instruction needs.
 *
 * @throws ServiceError MINT_NOT_BOUND, NOT_ISSUER, PROTOCOL_PAUSED, MINT_PAUSED, PASS_REQUIRED, PASS_SUSPENDED, CREDENTIAL_REQUIRED, ACCOUNT_NOT_FOUND, INVALID_ARGUMENT if the token
 *   account is of another mint, is frozen, or could get another owner; RPC_ERROR, ABORTED
 */
export async function checkReceiver(issue: Issue, row: Row): Promise<ReadyRow> {
  return readyRow(issue, await checkReceivers(issue, await readShared(issue), [row]));
}

/** Returns the only row. Throws ServiceError for the first reason why the chain would reject it. */
export function readyRow(
  { mint }: Issue,
  { ready, rejected }: Awaited<ReturnType<typeof checkReceivers>>,
): ReadyRow {
  if (!rejected[0]) return ready[0]!;
  throw refusalOf(mint, rejected[0]);
}

/** Returns the error for the first reason why a token account cannot receive tokens. */
export function refusalOf(mint: Address, { row, reasons: [reason] }: RejectedRow): ServiceError {
  const { destination } = row;
  const wrong = (why: string) => invalidArgument('destination', `The destination ${why} Nothing was sent.`);
  switch (reason!.code) {
    case 'TOKEN_ACCOUNT_NOT_FOUND':
      return accountNotFound(`token account of the mint ${mint}`, destination);
    case 'TOKEN_ACCOUNT_OF_OTHER_MINT':
      return wrong(`is a token account of the mint ${reason!.mint}. Use one of ${mint}.`);
    case 'TOKEN_ACCOUNT_OWNER_MUTABLE':
      return wrong('could get another owner. Use a token account that createTokenAccount creates.');
    case 'TOKEN_ACCOUNT_FROZEN':
      return wrong('is frozen. Thaw it first.');
    case 'CREDENTIAL_REVOKED':
      return new ServiceError('CREDENTIAL_REQUIRED', {
        message: `${reason!.wallet}, which owns the destination, has no credential, or it was revoked. This person must verify again. Nothing was sent.`,
      });
    case 'DESTINATION_PASS_SUSPENDED':
      return new ServiceError('PASS_SUSPENDED', {
        message: `The creator of the rule set ${reason!.rule} suspended the pass of ${reason!.wallet}, which owns the destination. The creator must lift the suspension. Nothing was sent.`,
      });
    case 'DESTINATION_PASS_MISSING':
    case 'DESTINATION_PASS_EXPIRED':
    case 'DESTINATION_PASS_GRANTED':
    case 'DESTINATION_PASS_UNSUPPORTED': {
      const { rule, wallet } = reason!;
      return new ServiceError('PASS_REQUIRED', {
        message: `${wallet}, which owns the destination, has no pass that the mint counts (${reason!.code}). This person must prove the rule set ${rule}. Nothing was sent.`,
        context: { rule, wallet },
      });
    }
    default:
      return wrong(`cannot receive these tokens: ${reason!.code}.`);
  }
}
