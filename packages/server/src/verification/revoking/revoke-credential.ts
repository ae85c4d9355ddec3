/** Takes one step for a queued revocation: compares it with the chain and does what is next. A crash may repeat the step. */
import {
  MAX_PASSES_PER_REVOCATION,
  programAddresses,
  readAccounts,
  revokeCredentialInstructions,
} from '@service/protocol';
import {
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_REVOKED,
  RULE_SET_PASS_ERROR__VERIFIER_INACTIVE,
  RULE_SET_PASS_ERROR__VERIFIER_MISMATCH,
  type RuleSetPassError,
} from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { readerAt } from '../../chain-head/index.ts';
import { findAccounts } from '../../chain-index/find.ts';
import type { CredentialRevocation } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import type { ChainRefusal } from '../issuing/chain-refusal.ts';
import { followSent, type StepOptions, type StepResult, sendNew } from '../issuing/send-once.ts';
import { readWalletCredential, type WalletCredential } from '../issuing/wallet-credential.ts';

type RevokeResult = StepResult<'WATCHING' | 'SETTLED'>;

/**
 * Rejections that mean that the credential differs from its finalized state, that it is a valid one of another verifier,
 * or that the verifier is inactive and has nothing to revoke. There is nothing to do until it changes again.
 */
const NOTHING_TO_REVOKE: ReadonlySet<number | null> = new Set<RuleSetPassError>([
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_REVOKED,
  RULE_SET_PASS_ERROR__VERIFIER_INACTIVE,
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
  const statement = { program, genesisHash, wallet, revokedAt };
  const instructions = await revokeCredentialInstructions({
    payer: service.feePayer.address,
    statement,
    verifierAuthority,
    signature,
    passes: await livePassesOf(service, revocation, options.signal),
  });
  return sendNew(service, instructions, sending);
}

/**
 * Returns as many passes of the wallet as fit the transaction, those that expire last. They end with the revocation. The
 * pass closer ends the others. Every second attempt has none, so that a pass that changes cannot stop the revocation.
 */
async function livePassesOf(
  service: Service,
  { wallet, attempts }: CredentialRevocation,
  signal: AbortSignal,
): Promise<Address[]> {
  if (attempts % 2 === 1) return [];
  const lastToExpire = MAX_PASSES_PER_REVOCATION;
  const indexed = await findAccounts(service, 'pass', { wallet }, { lastToExpire });
  if (indexed.length === 0) return [];
  // The index is finalized. A pass that was closed since then would reject the whole transaction.
  const wanted = indexed.map(({ address }) => ['pass', address] as const);
  const passes = await readAccounts(readerAt(service, 'confirmed', signal), wanted);
  return passes.flatMap((pass) => (pass ? [pass.address] : []));
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
