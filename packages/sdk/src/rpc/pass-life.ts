/** The remaining life of a pass, by the chain's clock. */
import { type AccountOf, CLOCK_SYSVAR, type Found, secondsLeftOf } from '@service/protocol';
import {
  type Address,
  type EncodedAccount,
  fetchEncodedAccount,
  getI64Decoder,
  getU64Decoder,
} from '@solana/kit';
import { ServiceError } from '../errors.ts';
import { callRpc, type OwnRpc } from './chain.ts';

/** A pass and its remaining life (SPEC.md section 2). */
export type PassLife = {
  /** Address of the pass. */
  readonly address: Address;
  /** The wallet that holds it. */
  readonly wallet: Address;
  /** Unix seconds. */
  readonly expiresAt: bigint;
  /** Seconds until it expires; 0 if it has expired, if governance ended it, or while it is suspended. */
  readonly secondsLeft: bigint;
  /** Unix seconds until which the creator of the rule set suspended it; 0 if it did not. */
  readonly suspendedUntil: bigint;
  /** Whether the creator of the rule set granted it without a proof. */
  readonly granted: boolean;
};

/** Returns the life of a pass at a chain time in Unix seconds, or null if there is no pass. */
export function passLifeOf(
  found: Found<AccountOf<'pass'>> | null,
  at: { readonly config: Found<AccountOf<'config'>> | null; readonly chainTime: bigint },
): PassLife | null {
  if (!found) return null;
  const { wallet, expiresAt, suspendedUntil, granted } = found.data;
  const secondsLeft = secondsLeftOf(found.data, at);
  return Object.freeze({ address: found.address, wallet, expiresAt, secondsLeft, suspendedUntil, granted });
}

/**
 * Returns the chain's time in Unix seconds at the newest confirmed slot. A transaction sent now runs a little later.
 *
 * @throws ServiceError RPC_ERROR, ABORTED, ACCOUNT_NOT_FOUND
 */
export async function readChainTime(own: OwnRpc, signal: AbortSignal | undefined): Promise<bigint> {
  const account = await callRpc(own, 'Reading the clock', signal, (rpc, options) =>
    fetchEncodedAccount(rpc as never, CLOCK_SYSVAR, { commitment: 'confirmed', ...options }),
  );
  return clockOf(account);
}

const CLOCK_SIZE = 40;
const EPOCH_OFFSET = 16;
const UNIX_TIMESTAMP_OFFSET = 32;

/** Returns the time of the Clock sysvar in Unix seconds. Throws ServiceError ACCOUNT_NOT_FOUND if it is another account. */
export function clockOf(account: EncodedAccount | { exists: false }): bigint {
  if ('data' in account && account.data.length === CLOCK_SIZE) {
    const time = getI64Decoder().decode(account.data, UNIX_TIMESTAMP_OFFSET);
    // No cluster has another time, and a Date could not show it.
    if (time > 0n && time < 1n << 32n) return time;
  }
  throw new ServiceError('ACCOUNT_NOT_FOUND', {
    message: `There is no clock at ${CLOCK_SYSVAR} on your own RPC. Check rpcUrl of the deployment.`,
    context: { address: CLOCK_SYSVAR },
  });
}

/** Returns the slot of the Clock sysvar. Throws ServiceError ACCOUNT_NOT_FOUND if it is another account. */
export function slotOf(account: EncodedAccount | { exists: false }): bigint {
  clockOf(account);
  return getU64Decoder().decode((account as EncodedAccount).data);
}

/** Returns the epoch of the Clock sysvar. Throws ServiceError ACCOUNT_NOT_FOUND if it is another account. */
export function epochOf(account: EncodedAccount | { exists: false }): bigint {
  clockOf(account);
  return getU64Decoder().decode((account as EncodedAccount).data, EPOCH_OFFSET);
}
