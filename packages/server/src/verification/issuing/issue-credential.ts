/** Takes one step for a queued credential: compares it with the chain and does what is next. A crash may repeat the step. */
import {
  issueCredentialInstructions,
  MAX_CREDENTIAL_DELAY_SECONDS,
  programAddresses,
  voidUntil,
} from '@service/protocol';
import {
  RULE_SET_PASS_ERROR__COMMITMENT_INVALID,
  RULE_SET_PASS_ERROR__CREDENTIAL_HELD,
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_SIGNATURE_INVALID,
  RULE_SET_PASS_ERROR__VERIFIER_INACTIVE,
  type RuleSetPassError,
} from '@service/protocol/generated';
import type { IssuingSession } from '../../database/schema.ts';
import type { ChainRefusal } from '../../paid-transaction.ts';
import type { Service } from '../../service.ts';
import { isRevokedUpTo } from '../revoking/revocations.ts';
import { followSent, type StepOptions, type StepResult, sendNew } from './send-once.ts';
import { readWalletCredential, type WalletCredential } from './wallet-credential.ts';
import { welcomeInstruction } from './welcome.ts';

type IssueResult = StepResult<'ISSUED' | 'FAILED'>;

const REVOKED = 'The verifier revoked the credential before it was on chain.';
const NOT_NEWER =
  'A credential, revocation or discard of the same time or later is already on chain for the wallet. Verify again.';

/**
 * Rejections that no retry can change. Errors about times are not here: a clock may be behind, and expiry is checked
 * against the credential's own times.
 */
const PERMANENT: ReadonlySet<number | null> = new Set<RuleSetPassError>([
  RULE_SET_PASS_ERROR__COMMITMENT_INVALID,
  RULE_SET_PASS_ERROR__CREDENTIAL_HELD,
  RULE_SET_PASS_ERROR__CREDENTIAL_SIGNATURE_INVALID,
  RULE_SET_PASS_ERROR__VERIFIER_INACTIVE,
]);

/** Processes a queued credential one step further. Throws the RPC's errors. */
export async function issueCredential(
  service: Service,
  session: IssuingSession,
  options: StepOptions,
): Promise<IssueResult> {
  // Ask the chain first, at finalized: the credential may be there even if the row does not say so.
  const existing = await readWalletCredential(service, session.wallet, options.signal);
  if (existing && isSame(existing, session)) return { outcome: 'MOVED', state: 'ISSUED' };
  const isRevoked = await isRevokedUpTo(service.db, session);
  const verifier = await programAddresses(service.settings.program).verifier(session.verifier_authority);
  if (existing && voidUntil(existing.data, verifier) >= session.issued_at) {
    return failed(isRevoked ? REVOKED : NOT_NEWER);
  }
  const sending = { ...options, refused };
  const followed = await followSent(service, session, sending);
  if (followed) return followed;
  // This comes after the sent transaction, which may still land and is then revoked.
  if (isRevoked) return failed(REVOKED);
  const now = BigInt(service.clock.now());
  if (now >= session.credential_expires_at * 1000n) {
    return failed('The credential expired before it could be put on chain.');
  }
  if (now > (session.issued_at + MAX_CREDENTIAL_DELAY_SECONDS) * 1000n) {
    return failed('The credential was signed too long ago to be put on chain. Verify again.');
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
    previousVerifier: existing?.data.verifier,
  });
  if (existing) return sendNew(service, instructions, sending);
  const welcome = await welcomeInstruction(service, session, options.signal);
  return sendNew(service, instructions, { ...sending, addition: welcome });
}

/** Returns whether it is the session's credential, even if revoked since. A revocation raises the time of issue. */
function isSame({ data }: NonNullable<WalletCredential>, { commitment, issued_at }: IssuingSession): boolean {
  const isOfTheTime = data.revoked ? data.issuedAt >= issued_at : data.issuedAt === issued_at;
  return isOfTheTime && Buffer.from(data.commitment).equals(commitment);
}

function refused({ code, reason }: ChainRefusal): IssueResult {
  // The credential on chain may be this one, not finalized yet. A later step compares them when it is.
  if (code === RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER) return { outcome: 'WAITING' };
  return PERMANENT.has(code) ? failed(reason) : { outcome: 'AGAIN', reason };
}

function failed(reason: string): IssueResult {
  return { outcome: 'MOVED', state: 'FAILED', reason };
}
