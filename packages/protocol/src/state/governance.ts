/** The settings of governance at a chain time. */
import { unwrapOption } from '@solana/kit';
import type { AccountOf, Found } from './read.ts';

/** Config, or nothing if it does not exist. */
type FoundConfig = Pick<Found<AccountOf<'config'>>, 'data'> | null | undefined;

/** Returns the pass fee in lamports at a chain time in Unix seconds; null while governance has not set it. */
export function passFeeAt(config: AccountOf<'config'>, chainTime: bigint): bigint | null {
  const raised = chainTime < config.nextPassFeeFrom ? null : unwrapOption(config.nextPassFee);
  return raised ?? unwrapOption(config.passFee);
}

/** Returns the raise of the pass fee that does not hold yet at a chain time: lamports, and Unix seconds from which it holds. */
export function nextPassFeeAt(
  config: AccountOf<'config'>,
  chainTime: bigint,
): { lamports: bigint; from: bigint } | null {
  const lamports = unwrapOption(config.nextPassFee);
  const from = config.nextPassFeeFrom;
  return lamports === null || chainTime >= from ? null : { lamports, from };
}

/** Returns what `GET /api/network` says of governance and of the pass fee at a chain time in Unix seconds. */
export function governanceOf({ address, data }: Found<AccountOf<'config'>>, chainTime: bigint) {
  const { authority, paused, passesValidFrom } = data;
  const [guardian, nominee] = [unwrapOption(data.guardian), unwrapOption(data.nominee)];
  return {
    governance: { address, authority, paused, guardian, nominee, passesValidFrom },
    passFee: passFeeAt(data, chainTime),
    nextPassFee: nextPassFeeAt(data, chainTime),
  };
}

/** Returns whether governance ended a pass: it was issued before `passesValidFrom` of Config. */
export function isEnded({ issuedAt }: Pick<AccountOf<'pass'>, 'issuedAt'>, config: FoundConfig): boolean {
  return !!config && issuedAt < config.data.passesValidFrom;
}

/** Returns whether the creator of the rule set suspended a pass at a chain time in Unix seconds. */
export function isSuspended(
  { suspendedUntil }: Pick<AccountOf<'pass'>, 'suspendedUntil'>,
  chainTime: bigint,
): boolean {
  return suspendedUntil > chainTime;
}

/**
 * Returns the seconds for which a pass is still live at a chain time in Unix seconds; 0 if it expired, was ended or is
 * suspended.
 */
export function secondsLeftOf(
  pass: Pick<AccountOf<'pass'>, 'issuedAt' | 'expiresAt' | 'suspendedUntil'>,
  { config, chainTime }: { config: FoundConfig; chainTime: bigint },
): bigint {
  const isOver = pass.expiresAt <= chainTime || isEnded(pass, config) || isSuspended(pass, chainTime);
  return isOver ? 0n : pass.expiresAt - chainTime;
}
