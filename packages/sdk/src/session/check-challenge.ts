/** Checks what a sign-in message is bound to, before a wallet may sign it (SPEC.md section 5). */
import type { Challenge } from '@service/contract';
import { CHALLENGE_LIFETIME_SECONDS } from '@service/contract/limits';
import { parseChallenge } from '@service/protocol';
import type { Address } from '@solana/kit';
import type { ChallengeBinding } from '../error-contexts.ts';
import { ServiceError } from '../errors.ts';
import { unixSeconds } from '../lib/clock.ts';
import { quoted } from '../lib/quoted.ts';
import type { SessionOnChain } from './session.ts';

/** Seconds by which the clocks of client and service may differ. */
export const CLOCK_TOLERANCE_SECONDS = 60n;

/**
 * Checks every binding of a challenge, and returns its nonce. A missing binding is rejected like a wrong one.
 *
 * @throws ServiceError CHALLENGE_REFUSED, with the binding that is wrong.
 */
export function checkChallenge(
  { session, chain: { deployment, clock } }: SessionOnChain,
  wallet: Address,
  challenge: Challenge,
): string {
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

  const now = unixSeconds(clock);
  const latestIssue = now + CLOCK_TOLERANCE_SECONDS;
  const latestExpiry = latestIssue + BigInt(CHALLENGE_LIFETIME_SECONDS);
  if (fields.issuedAt > latestIssue)
    throw refused('issuedAt', `at most ${latestIssue}`, `${fields.issuedAt}`);
  if (fields.expiresAt <= now) throw refused('expiresAt', `later than ${now}`, `${fields.expiresAt}`);
  if (fields.expiresAt <= fields.issuedAt) {
    throw refused('expiresAt', `later than its issue at ${fields.issuedAt}`, `${fields.expiresAt}`);
  }
  if (fields.expiresAt > latestExpiry)
    throw refused('expiresAt', `at most ${latestExpiry}`, `${fields.expiresAt}`);
  equal('expiresAt', `${challenge.expiresAt}`, `${fields.expiresAt}`);
  return fields.nonce;
}

const REMEDIES: Record<ChallengeBinding, string> = {
  format: 'Check that baseUrl is the service, and that its version fits this SDK.',
  origin: 'Check baseUrl and origin. Another site may be relaying its own sign-in to this wallet.',
  wallet: 'Sign in again with the right wallet.',
  program: 'Check program in the deployment.',
  genesisHash: 'Check genesisHash in the deployment. The service may be on another cluster.',
  challengeId: 'Sign in again.',
  nonce: 'Sign in again, because this challenge was already used.',
  issuedAt: 'Check the clock of this machine.',
  expiresAt: 'Check the clock of this machine, and sign in again.',
};

function refused(binding: ChallengeBinding, expected: string, found: string | null): ServiceError {
  const received = found === null ? null : quoted(found);
  return new ServiceError('CHALLENGE_REFUSED', {
    message: `The ${binding} of the sign-in message is wrong: it must be ${expected}${
      received === null ? '' : ` and is ${received}`
    }. ${REMEDIES[binding]} Nothing was signed.`,
    context: { binding, expected, received },
  });
}
