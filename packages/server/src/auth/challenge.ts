/** Sign-in challenges. The wallet's signature answers each one once (SPEC.md section 5). */
import { randomBytes, randomUUID } from 'node:crypto';
import { CHALLENGE_LIFETIME_SECONDS, type Challenge } from '@service/contract';
import { formatChallenge, parseChallenge } from '@service/protocol';
import { ServiceFault } from '../http/failures/fault.ts';
import type { RouteInput } from '../http/routing/route-types.ts';
import type { Service } from '../service.ts';
import { endSession, openSession } from './session.ts';
import { isSignedBy } from './wallet-signature.ts';

/** Issues a challenge for a wallet. Its message contains the origin of the page, the wallet, program, cluster, nonce and expiry. */
export async function issueChallenge(
  service: Service,
  { body: { wallet }, origin }: RouteInput<'challenge'>,
): Promise<Challenge> {
  const { program, genesisHash } = service.settings;
  const challengeId = randomUUID();
  const issuedAt = BigInt(Math.floor(service.clock.now() / 1_000));
  const expiresAt = issuedAt + BigInt(CHALLENGE_LIFETIME_SECONDS);
  const nonce = randomBytes(16).toString('hex');
  const message = formatChallenge({
    origin,
    wallet,
    program,
    genesisHash,
    nonce,
    challengeId,
    issuedAt,
    expiresAt,
  });
  await service.db
    .insertInto('challenge')
    .values({ id: challengeId, wallet, message, expires_at: expiresAt * 1_000n })
    .execute();
  return { challengeId, message, expiresAt };
}

/**
 * Verifies the answer to a challenge and signs its wallet in. Returns the wallet and the expiry of its session in Unix seconds.
 * The first answer, right or wrong, deletes the challenge, so that each challenge allows one attempt.
 *
 * @throws ServiceFault AUTHENTICATION_REQUIRED on every failure, with the same message, so that it reveals nothing.
 */
export async function signIn(service: Service, { body: answer, context, origin }: RouteInput<'verify'>) {
  const challenge = await service.db
    .deleteFrom('challenge')
    .where('id', '=', answer.challengeId)
    .returning(['wallet', 'message', 'expires_at'])
    .executeTakeFirst();
  const isValid =
    challenge !== undefined &&
    challenge.wallet === answer.wallet &&
    challenge.expires_at > BigInt(service.clock.now()) &&
    parseChallenge(challenge.message)?.origin === origin &&
    isSignedBy(
      challenge.wallet,
      new TextEncoder().encode(challenge.message),
      Buffer.from(answer.signature, 'base64'),
    );
  if (!isValid) {
    throw new ServiceFault(
      'AUTHENTICATION_REQUIRED',
      'The challenge is unknown, expired, used or of another origin, or the wallet did not make the signature. Request a new challenge.',
    );
  }
  // End the browser's previous session: its token must not outlive the sign-in of another wallet.
  await endSession(service, context, origin);
  const { wallet } = challenge;
  return { wallet, expiresAt: await openSession(service, context, { wallet, origin }) };
}
