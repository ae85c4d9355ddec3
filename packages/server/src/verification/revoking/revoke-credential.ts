/** Takes one step for a queued revocation: compares it with the chain and does what is next. A crash may repeat the step. */
import {
  MAX_PASSES_PER_REVOCATION,
  programAddresses,
  revokeCredentialInstructions,
  voidUntil,
} from '@service/protocol';
import {
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_REVOKED,
  RULE_SET_PASS_ERROR__VERIFIER_INACTIVE,
  type RuleSetPassError,
} from '@service/protocol/generated';
import type { Address } from '@solana/kit';
import { findAccounts } from '../../chain-index/find.ts';
import type { CredentialRevocation } from '../../database/schema.ts';
import type { ChainRefusal } from '../../paid-transaction.ts';
import type { Service } from '../../service.ts';
import { followSent, type StepOptions, type StepResult, sendNew } from '../issuing/send-once.ts';
import { readWalletCredential, type WalletCredential } from '../issuing/wallet-credential.ts';

type RevokeResult = StepResult<'WATCHING' | 'SETTLED'>;

/**
 * Rejections that mean that the credential differs from its finalized state, or that the verifier is inactive and has
 * nothing to revoke. There is nothing to do until it changes again.
 */
const NOTHING_TO_REVOKE: ReadonlySet<number | null> = new Set<RuleSetPassError>([
  RULE_SET_PASS_ERROR__CREDENTIAL_NOT_NEWER,
  RULE_SET_PASS_ERROR__CREDENTIAL_REVOKED,
  RULE_SET_PASS_ERROR__VERIFIER_INACTIVE,
]);

/** Also the result of a transaction that ended passes and had nothing to revoke. */
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
  const sending = { ...options, refused, landed: WATCHING };
  const followed = await followSent(service, revocation, sending);
  if (followed) return followed;
  const statement = { program, genesisHash, wallet, revokedAt };
  const instructions = await revokeCredentialInstructions({
    payer: service.feePayer.address,
    statement,
    verifierAuthority,
    signature,
    passes: await passesOf(service, wallet, verifier),
  });
  return sendNew(service, instructions, sending);
}

/**
 * Returns as many passes of the wallet by the verifier as fit the transaction, those that expire last. They end with the
 * revocation, and the pass closer ends the others. The program skips passes that were closed since they were indexed.
 */
async function passesOf(service: Service, wallet: Address, verifier: Address): Promise<Address[]> {
  const page = { first: 'lastToExpire', limit: MAX_PASSES_PER_REVOCATION } as const;
  const indexed = await findAccounts(service, 'pass', { wallet, verifier }, page);
  return indexed.map(({ address }) => address);
}

/**
 * Returns whether no credential that the verifier signed up to that time is on chain or can still land. The times of a
 * verifier on chain only increase, also with a revocation.
 */
function isOvertaken(
  { data }: NonNullable<WalletCredential>,
  { verifier, revokedAt }: { verifier: Address; revokedAt: bigint },
): boolean {
  if (data.verifier !== verifier) return voidUntil(data, verifier) >= revokedAt;
  return data.issuedAt === revokedAt ? data.revoked : data.issuedAt > revokedAt;
}

function refused({ code, reason }: ChainRefusal): RevokeResult {
  return NOTHING_TO_REVOKE.has(code) ? WATCHING : { outcome: 'AGAIN', reason };
}
