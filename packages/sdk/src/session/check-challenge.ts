/** Checks what a sign-in message is bound to, before a wallet may sign it (SPEC.md section 5). */
import type { Challenge } from '@service/contract';
import { CHALLENGE_LIFETIME_SECONDS } from '@service/contract/limits';
import { type ChallengeFields, parseChallenge } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { ChallengeBinding } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';
import { unixSeconds } from '../lib/clock.ts';
import { quoted } from '../lib/service-words.ts';
import { readChainTime } from '../rpc/accounts.ts';
import type { Chain } from '../rpc/chain.ts';
import type { SessionOnChain } from './session.ts';

/** Seconds by which the service's clock may differ from the clock that it is compared with. */
export const CLOCK_TOLERANCE_SECONDS = 60n;

/**
 * Checks every binding of a challenge, and returns its fields. A missing binding is rejected like a wrong one. No clock
 * decides how long the challenge is valid, because the message has both times.
 *
 * @throws ServiceError CHALLENGE_REFUSED, with the binding that is wrong
 */
export function checkChallenge(
  { session, chain: { deployment } }: SessionOnChain,
  wallet: Address,
  challenge: Challenge,
): ChallengeFields {
  // Parsing is strict: a text rebuilt from the fields must be identical.
  const fields = parseChallenge(challenge.message);
  if (!fields) throw refused('format', 'the message of the documented form', null);
  const equal = (binding: ChallengeBinding, wanted: string, found: string) => {
    if (found !== wanted) throw refused(binding, wanted, found);
  };
  equal('origin', session.origin, fields.origin);
  equal('wallet', wallet, fields.wallet);
  equal('program', deployment.program, fields.program);
  equal('genesisHash', deployment.genesisHash, fields.genesisHash);
  equal('challengeId', challenge.challengeId, fields.challengeId);
  if (session.usedNonces.get(fields.nonce)) throw refused('nonce', 'a nonce not used before', fields.nonce);

  const latestExpiry = fields.issuedAt + BigInt(CHALLENGE_LIFETIME_SECONDS);
  if (fields.expiresAt <= fields.issuedAt) {
    throw refused('expiresAt', `later than its issue at ${fields.issuedAt}`, `${fields.expiresAt}`);
  }
  if (fields.expiresAt > latestExpiry)
    throw refused('expiresAt', `at most ${latestExpiry}`, `${fields.expiresAt}`);
  equal('expiresAt', `${challenge.expiresAt}`, `${fields.expiresAt}`);
  return fields;
}

/**
 * Checks that a message is current, so that nobody can keep a signature for later. The clock of the device can be wrong. If
 * it does not agree with the message, the chain's time on the caller's own RPC decides.
 *
 * @throws ServiceError CHALLENGE_REFUSED, RPC_ERROR, ABORTED, ACCOUNT_NOT_FOUND
 */
export async function checkIsOfNow(
  chain: Chain,
  { issuedAt, expiresAt }: ChallengeFields,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isOf = (now: bigint) => issuedAt <= now + CLOCK_TOLERANCE_SECONDS && expiresAt > now;
  const device = unixSeconds(chain.clock);
  if (isOf(device)) return;
  const now = await readChainTime(chain, signal);
  if (isOf(now)) return;
  const minutes = Math.round(Number(issuedAt - device) / 60);
  const clock = `The clock of this device is ${Math.abs(minutes)} minutes ${minutes < 0 ? 'ahead of' : 'behind'} the service's, and the chain's time differs from it too. Correct the clock. If it is right, do not sign in.`;
  throw expiresAt > now
    ? refused('issuedAt', `at most ${now + CLOCK_TOLERANCE_SECONDS}`, `${issuedAt}`, clock)
    : refused('expiresAt', `later than ${now}`, `${expiresAt}`, clock);
}

const REMEDIES: Record<ChallengeBinding, string> = {
  format: 'Check that baseUrl is the service, and that its version fits this SDK.',
  origin: 'Check baseUrl and origin. Another site may be relaying its own sign-in to this wallet.',
  wallet: 'Sign in again with the right wallet.',
  program: 'Check program in the deployment.',
  genesisHash: 'Check genesisHash in the deployment. The service may be on another cluster.',
  challengeId: 'Sign in again.',
  nonce: 'Sign in again, because this challenge was already used.',
  issuedAt: 'Sign in again.',
  expiresAt: 'Sign in again.',
};

function refused(
  binding: ChallengeBinding,
  expected: string,
  found: string | null,
  remedy: string = REMEDIES[binding],
): ServiceError {
  const received = found === null ? null : quoted(found);
  return new ServiceError('CHALLENGE_REFUSED', {
    message: `The ${binding} of the sign-in message is wrong: it must be ${expected}${
      received === null ? '' : ` and is ${received}`
    }. ${remedy} Nothing was signed.`,
    context: { binding, expected, received },
  });
}
