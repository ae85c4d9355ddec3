/** One look at one queued credential: what the chain has of it, and the next thing to do. Safe to repeat after any crash. */
import { issueCredentialInstructions } from '@service/protocol';
import {
  RULE_SET_PASS_ERROR__COMMITMENT_INVALID,
  RULE_SET_PASS_ERROR__CREDENTIAL_HELD,
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_SIGNATURE_INVALID,
  RULE_SET_PASS_ERROR__VERIFIER_INACTIVE,
  type RuleSetPassError,
} from '@service/protocol/generated';
import type { Service } from '../../service.ts';
import { isRevokedUpTo } from '../revoking/revocations.ts';
import type { IssuingSession } from '../tables.ts';
import type { ChainRefusal } from './chain-refusal.ts';
import { type HeldCredential, readHeldCredential } from './held-credential.ts';
import { followSent, type Look, type LookOptions, sendNew } from './send-once.ts';

type IssueLook = Look<'ISSUED' | 'FAILED'>;

/**
 * Refusals that stand. The times of a statement are not among them: a clock may be behind, and whether it has expired is
 * judged by its own expiry.
 */
const PERMANENT: ReadonlySet<number | null> = new Set<RuleSetPassError>([
  RULE_SET_PASS_ERROR__COMMITMENT_INVALID,
  RULE_SET_PASS_ERROR__CREDENTIAL_HELD,
  RULE_SET_PASS_ERROR__CREDENTIAL_SIGNATURE_INVALID,
  RULE_SET_PASS_ERROR__VERIFIER_INACTIVE,
]);

/** Takes a queued credential one step further. Throws what the RPC throws. */
export async function issueCredential(
  service: Service,
  session: IssuingSession,
  options: LookOptions,
): Promise<IssueLook> {
  // Whether it is there is asked of the chain first, and at finalized: it may be, whatever the row remembers.
  const held = await readHeldCredential(service, session.wallet, options.signal);
  if (held && isSame(held, session)) return { outcome: 'MOVED', state: 'ISSUED' };
  if (held && held.data.issuedAt >= session.issued_at) {
    return failed('The wallet has a credential that was issued at the same time or later.');
  }
  const sending = { ...options, refused };
  const followed = await followSent(service, session, sending);
  if (followed) return followed;
  // What is under way is followed all the same: it may land, and the revocation comes after it.
  if (await isRevokedUpTo(service.db, session)) {
    return failed('The verifier revoked the credential before it was on chain.');
  }
  if (BigInt(service.clock.now()) >= session.credential_expires_at * 1000n) {
    return failed('The credential expired before it could be put on chain.');
  }
  const { program, genesisHash } = service.settings;
  const instructions = await issueCredentialInstructions({
    payer: service.feePayer.address,
    statement: {
      program,
      genesisHash,
      wallet: session.wallet,
      commitment: session.commitment,
      issuedAt: session.issued_at,
      expiresAt: session.credential_expires_at,
    },
    verifierAuthority: session.verifier_authority,
    signature: session.signature,
    previousVerifier: held?.data.verifier,
  });
  return sendNew(service, instructions, sending);
}

/** A credential that was revoked since is still the one that was issued, though a revocation moves its time of issue. */
function isSame({ data }: NonNullable<HeldCredential>, { commitment, issued_at }: IssuingSession): boolean {
  const isOfTheTime = data.revoked ? data.issuedAt >= issued_at : data.issuedAt === issued_at;
  return isOfTheTime && Buffer.from(data.commitment).equals(commitment);
}

function refused({ code, reason }: ChainRefusal): IssueLook {
  // The one that is there, and not final yet, may be this very credential: once it is final the next look tells.
  if (code === RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER) return { outcome: 'WAITING' };
  return PERMANENT.has(code) ? failed(reason) : { outcome: 'AGAIN', reason };
}

function failed(reason: string): IssueLook {
  return { outcome: 'MOVED', state: 'FAILED', reason };
}
