/** When the program renews and closes a pass. */
import type { ReadonlyUint8Array } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../addresses.ts';
import { MIN_PROOF_INTERVAL_SECONDS } from '../generated/constants';
import { isEnded, passFeeAt } from './governance.ts';
import type { AccountOf, Found } from './read.ts';

type ProvedPass = Pick<AccountOf<'pass'>, 'issuedAt' | 'paidAt' | 'commitment' | 'circuit'>;
type Limits = Pick<AccountOf<'ruleSet'>, 'maxPassAgeSeconds'>;

/** What decides when a pass can be renewed, and for which fee. */
export interface Renewal {
  readonly config: Pick<Found<AccountOf<'config'>>, 'data'> | null | undefined;
  readonly pass: ProvedPass | null | undefined;
  readonly ruleSet: Limits;
  /** The credential that proves. */
  readonly credential: Pick<AccountOf<'credential'>, 'commitment'>;
}

/**
 * Returns the Unix seconds from which a credential can renew a pass: half of the longest pass life after the last proof,
 * or an hour after it if the credential has another commitment than the pass; 0 if there is no pass, if it was ended, or if
 * it has no proof.
 */
export function passRenewableAt({ config, pass, ruleSet, credential }: Renewal): bigint {
  if (!pass || wasEnded(pass) || isEnded(pass, config)) return 0n;
  return pass.issuedAt + intervalOf(pass, ruleSet, credential);
}

/**
 * Returns the pass fee of a proof in lamports at a chain time in Unix seconds; null while governance has not set it. A proof
 * takes no fee if it replaces a pass that was ended, at a time when it could not have been renewed since the last fee.
 */
export function proofFeeAt({ config, pass, ruleSet, credential }: Renewal, chainTime: bigint): bigint | null {
  if (pass && isProved(pass) && (wasEnded(pass) || isEnded(pass, config))) {
    const paidAt = BigInt(pass.paidAt) || pass.issuedAt;
    if (chainTime < paidAt + intervalOf(pass, ruleSet, credential)) return 0n;
  }
  return config ? passFeeAt(config.data, chainTime) : null;
}

function intervalOf(
  pass: ProvedPass,
  { maxPassAgeSeconds }: Limits,
  { commitment }: Renewal['credential'],
): bigint {
  const half = maxPassAgeSeconds / 2n;
  const isSooner = !isSame(commitment, pass.commitment) && MIN_PROOF_INTERVAL_SECONDS < half;
  return isSooner ? MIN_PROOF_INTERVAL_SECONDS : half;
}

/**
 * Returns the Unix seconds from which anyone can close a pass, at a chain time in Unix seconds. Returns 0 if its credential,
 * verifier or circuit no longer supports it, or if governance ended it, unless it is over. Such a pass ends at once, also while it
 * is suspended, and its account can be closed an hour after the last proof. The account of a pass that is over or has ended stays
 * while it is suspended. {@link NEVER} if that time depends on the creator of the rule set: the pass is suspended until that is
 * lifted, or it has no proof, and closePass rejects it.
 */
export function passClosableAt(
  pass: AccountOf<'pass'>,
  of: {
    readonly ruleSet: Limits | undefined;
    readonly credential: AccountOf<'credential'> | undefined;
    readonly verifier: Pick<AccountOf<'verifier'>, 'active'> | undefined;
    readonly circuit: Pick<AccountOf<'circuit'>, 'unsound'> | undefined;
    readonly config: Pick<Found<AccountOf<'config'>>, 'data'> | null | undefined;
  },
  chainTime: bigint,
): bigint {
  if (!isProved(pass)) return NEVER;
  const renewableAt = pass.issuedAt + (of.ruleSet?.maxPassAgeSeconds ?? 0n) / 2n;
  const overAt = latest(pass.expiresAt, renewableAt);
  const keptUntil = pass.issuedAt + MIN_PROOF_INTERVAL_SECONDS;
  if (wasEnded(pass)) return latest(keptUntil < overAt ? keptUntil : overAt, pass.suspendedUntil);
  const { credential } = of;
  const isUnsupported =
    (credential && !isSupported(pass, credential)) ||
    of.verifier?.active === false ||
    of.circuit?.unsound ||
    isEnded(pass, of.config);
  return isUnsupported && chainTime < overAt ? 0n : latest(overAt, pass.suspendedUntil);
}

/**
 * Returns whether a credential of the wallet supports a pass that was proved: it is not revoked, it was proved by the pass,
 * and it does not expire before the pass.
 */
export function isSupported(
  pass: Pick<AccountOf<'pass'>, 'commitment' | 'verifier' | 'expiresAt'>,
  credential: AccountOf<'credential'>,
): boolean {
  return (
    !credential.revoked &&
    isSame(credential.commitment, pass.commitment) &&
    credential.verifier === pass.verifier &&
    credential.expiresAt >= pass.expiresAt
  );
}

/** Means that only the creator of the rule set can act. A suspension until this time lasts until the creator lifts it. */
export const NEVER = 2n ** 64n - 1n;

/** Returns whether a pass has or had a proof. Otherwise the creator of the rule set opened it, to grant or to suspend it. */
export const isProved = ({ circuit }: Pick<AccountOf<'pass'>, 'circuit'>): boolean =>
  circuit !== SYSTEM_PROGRAM;

const latest = (one: bigint, other: bigint) => (one > other ? one : other);

/** Returns whether a pass was ended before its time, or has no proof. */
const wasEnded = ({ commitment }: Pick<ProvedPass, 'commitment'>) => commitment.every((byte) => byte === 0);

const isSame = (one: ReadonlyUint8Array, other: ReadonlyUint8Array) =>
  one.every((byte, index) => byte === other[index]);
