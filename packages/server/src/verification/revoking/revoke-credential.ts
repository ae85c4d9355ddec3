/** One look at one revocation: what the chain has of it, and the next thing to do. Safe to repeat after any crash. */
import { programAddresses, revokeCredentialInstructions } from '@service/protocol';
import {
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_REVOKED,
  RULE_SET_PASS_ERROR__VERIFIER_MISMATCH,
  type RuleSetPassError,
} from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import type { Service } from '../../service.ts';
import type { ChainRefusal } from '../issuing/chain-refusal.ts';
import { type HeldCredential, readHeldCredential } from '../issuing/held-credential.ts';
import { followSent, type Look, type LookOptions, sendNew } from '../issuing/send-once.ts';
import type { CredentialRevocation } from '../tables.ts';

type RevokeLook = Look<'WATCHING' | 'SETTLED'>;

/**
 * Refusals that say that the credential is another than it was at finalized, or was revoked once by a verifier that is not
 * active any more: there is nothing to do until it changes again.
 */
const NOTHING_TO_REVOKE: ReadonlySet<number | null> = new Set<RuleSetPassError>([
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_REVOKED,
  RULE_SET_PASS_ERROR__VERIFIER_MISMATCH,
]);

const WATCHING: RevokeLook = { outcome: 'MOVED', state: 'WATCHING' };

/** Takes a revocation one step further. Throws what the RPC throws. */
export async function revokeCredential(
  service: Service,
  revocation: CredentialRevocation,
  options: LookOptions,
): Promise<RevokeLook> {
  const { program, genesisHash } = service.settings;
  const { wallet, revoked_at: revokedAt, verifier_authority: verifierAuthority, signature } = revocation;
  const held = await readHeldCredential(service, wallet, options.signal);
  const verifier = await programAddresses(program).verifier(verifierAuthority);
  if (held && isOvertaken(held, { verifier, revokedAt })) return { outcome: 'MOVED', state: 'SETTLED' };
  const sending = { ...options, refused };
  const followed = await followSent(service, revocation, sending);
  if (followed) return followed;
  if (held?.data.verifier !== verifier) return WATCHING;
  const statement = { program, genesisHash, wallet, revokedAt };
  const instructions = await revokeCredentialInstructions({ statement, verifierAuthority, signature });
  return sendNew(service, instructions, sending);
}

/**
 * Whether nothing that the verifier signed up to that time is on chain or can come there any more: times of issue rise, a
 * revocation's among them.
 */
function isOvertaken(
  { data }: NonNullable<HeldCredential>,
  { verifier, revokedAt }: { verifier: Address; revokedAt: bigint },
): boolean {
  if (data.issuedAt !== revokedAt) return data.issuedAt > revokedAt;
  return data.revoked || data.verifier !== verifier;
}

function refused({ code, reason }: ChainRefusal): RevokeLook {
  return NOTHING_TO_REVOKE.has(code) ? WATCHING : { outcome: 'AGAIN', reason };
}
