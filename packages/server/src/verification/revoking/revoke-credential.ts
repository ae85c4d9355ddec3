/** Takes one step for a queued revocation: compares it with the chain and does what is next. A crash may repeat the step. */
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
import { followSent, type StepOptions, type StepResult, sendNew } from '../issuing/send-once.ts';
import { readWalletCredential, type WalletCredential } from '../issuing/wallet-credential.ts';
import type { CredentialRevocation } from '../tables.ts';

type RevokeResult = StepResult<'WATCHING' | 'SETTLED'>;

/**
 * Rejections that mean that the credential differs from its finalized state, or that a verifier that is now inactive has
 * revoked it. There is nothing to do until it changes again.
 */
const NOTHING_TO_REVOKE: ReadonlySet<number | null> = new Set<RuleSetPassError>([
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_REVOKED,
  RULE_SET_PASS_ERROR__VERIFIER_MISMATCH,
]);

const WATCHING: RevokeResult = { outcome: 'MOVED', state: 'WATCHING' };

/** Processes a queued revocation one step further. Throws the RPC's errors. */
export async function revokeCredential(
  service: Service,
  revocation: CredentialRevocation,
  options: StepOptions,
): Promise<RevokeResult> {
  const { program, genesisHash } = service.settings;
  const { wallet, revoked_at: revokedAt, verifier_authority: verifierAuthority, signature } = revocation;
  const existing = await readWalletCredential(service, wallet, options.signal);
  const verifier = await programAddresses(program).verifier(verifierAuthority);
  if (existing && isOvertaken(existing, { verifier, revokedAt }))
    return { outcome: 'MOVED', state: 'SETTLED' };
  const sending = { ...options, refused };
  const followed = await followSent(service, revocation, sending);
  if (followed) return followed;
  if (existing?.data.verifier !== verifier) return WATCHING;
  const statement = { program, genesisHash, wallet, revokedAt };
  const instructions = await revokeCredentialInstructions({ statement, verifierAuthority, signature });
  return sendNew(service, instructions, sending);
}

/**
 * Returns whether no credential that the verifier signed up to that time is on chain or can still land. The time of issue
 * on chain only rises, and a revocation raises it too.
 */
function isOvertaken(
  { data }: NonNullable<WalletCredential>,
  { verifier, revokedAt }: { verifier: Address; revokedAt: bigint },
): boolean {
  if (data.issuedAt !== revokedAt) return data.issuedAt > revokedAt;
  return data.revoked || data.verifier !== verifier;
}

function refused({ code, reason }: ChainRefusal): RevokeResult {
  return NOTHING_TO_REVOKE.has(code) ? WATCHING : { outcome: 'AGAIN', reason };
}
