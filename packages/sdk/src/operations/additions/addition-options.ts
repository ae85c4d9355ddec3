/** What a caller lets a wallet add to a transaction, and pays for priority. */
import type { AdditionLimits } from '@service/protocol';
import { invalidArgument } from '../../lib/check-arguments.ts';

/**
 * What a wallet may add to a prepared transaction before it signs. Phantom, Solflare and others add guards, which stop a
 * transaction whose effect is not the one that they showed, and a compute budget, which sets a priority fee. The client
 * and the service accept nothing else (SPEC.md section 4, prepare rules 3 and 4).
 */
export interface AdditionOptions {
  /**
   * Whether the wallet may add guards. A guard only reads accounts. If it fails, only the fee is paid.
   * @default that of the client, whose default is false
   */
  readonly guards?: boolean | undefined;
  /**
   * The most lamports that the transaction may pay for priority, set by you or by the wallet.
   * @default that of the client, whose default is 0n
   */
  readonly maxPriorityFeeLamports?: bigint | undefined;
}

/** What an operation pays for priority. */
export interface PriorityFeeOptions {
  /**
   * Micro-lamports for each compute unit, or `'auto'` for what recent transactions on the same accounts paid, by your own
   * RPC (the 75th percentile). `maxPriorityFeeLamports` caps both: `'auto'` pays at most the cap, and a price above it is
   * INVALID_ARGUMENT. The service has a cap of its own: INVALID_REQUEST of `computeUnitPrice`. @default nothing
   */
  readonly priorityFee?: 'auto' | bigint | undefined;
  /** The most lamports that the operation may pay for priority. @default that of the client, whose default is 0n */
  readonly maxPriorityFeeLamports?: bigint | undefined;
}

/**
 * Returns what wallets may add: the options, and a default for each that is missing. Without defaults of the client,
 * wallets may add nothing.
 *
 * @throws ServiceError INVALID_ARGUMENT
 */
export function readAdditions(
  options: AdditionOptions,
  defaults: AdditionLimits = { guards: false, maxPriorityFeeLamports: 0n },
): AdditionLimits {
  const { guards = defaults.guards, maxPriorityFeeLamports = defaults.maxPriorityFeeLamports } = options;
  if (typeof guards !== 'boolean') throw invalidArgument('guards', 'guards must be true or false.');
  if (typeof maxPriorityFeeLamports !== 'bigint' || maxPriorityFeeLamports < 0n) {
    throw invalidArgument(
      'maxPriorityFeeLamports',
      'maxPriorityFeeLamports must be a bigint of lamports, such as 10_000n.',
    );
  }
  return { guards, maxPriorityFeeLamports };
}
